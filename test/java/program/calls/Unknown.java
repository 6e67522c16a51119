package calls;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ServiceLoader;

/** Calls whose targets no call graph knows. */
public class Unknown {
    static void reflection(Method method, Class<?> type) throws Throwable {
        method.invoke(null); // expect: virtual java/lang/reflect/Method.invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object; ? reflection
        Class.forName("x"); // expect: static java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class; ? class loaded by name
        type.newInstance(); // expect: virtual java/lang/Class.newInstance()Ljava/lang/Object; ? reflection
        type.getDeclaredConstructor().newInstance(); // expect: virtual java/lang/Class.getDeclaredConstructor([Ljava/lang/Class;)Ljava/lang/reflect/Constructor; & virtual java/lang/reflect/Constructor.newInstance([Ljava/lang/Object;)Ljava/lang/Object; ? reflection
        ServiceLoader.load(type); // expect: static java/util/ServiceLoader.load(Ljava/lang/Class;)Ljava/util/ServiceLoader; ? service loader
        Proxy.newProxyInstance(null, null, null); // expect: static java/lang/reflect/Proxy.newProxyInstance(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object; ? proxy
    }

    /** Signature-polymorphic: the descriptor of the call is the caller's, not the method's. */
    static int handles(MethodHandle handle) throws Throwable {
        int result = (int) handle.invokeExact(1, 2L); // expect: virtual java/lang/invoke/MethodHandle.invokeExact([Ljava/lang/Object;)Ljava/lang/Object; ? method handle
        handle.invoke("x"); // expect: virtual java/lang/invoke/MethodHandle.invoke([Ljava/lang/Object;)Ljava/lang/Object; ? method handle
        return result;
    }

    static void known(String text) {
        text.trim(); // expect: virtual java/lang/String.trim()Ljava/lang/String;
        MethodHandles.lookup(); // expect: static java/lang/invoke/MethodHandles.lookup()Ljava/lang/invoke/MethodHandles$Lookup;
        MethodType.methodType(int.class); // expect: static java/lang/invoke/MethodType.methodType(Ljava/lang/Class;)Ljava/lang/invoke/MethodType;
    }
}
