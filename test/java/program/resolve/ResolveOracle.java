import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Asks the JVM itself what symbolic references resolve to and which methods calls select, and
 * prints a line for each answer, in the form that the program_resolve tool takes and gives:
 *
 *     method  CLASS NAME DESCRIPTOR = DECLARING CLASS      resolution
 *     field   CLASS NAME DESCRIPTOR = DECLARING CLASS
 *     select  CLASS NAME DESCRIPTOR RECEIVER = DECLARING CLASS, or error
 *
 * A method handle is resolved by the rules for instructions, and tells where its member is
 * declared. What a call selects is found by calling: the methods of the samples return the name of
 * their class. References that the JVM refuses for access rights are left out.
 *
 *     ResolveOracle CLASS...     the samples
 *     ResolveOracle --jar JAR    all members that each class of the jar has or inherits
 */
public class ResolveOracle {
    private static final String STRING = "()Ljava/lang/String;";

    public static void main(String[] arguments) throws Throwable {
        if (arguments[0].equals("--jar"))
            jar(arguments[1]);
        else
            samples(arguments);
    }

    private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
        if (type.getClassLoader() == null)
            return MethodHandles.publicLookup().in(type);
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    }

    private static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private static void supertypes(Class<?> type, Set<Class<?>> found) {
        if (type == null || !found.add(type))
            return;
        supertypes(type.getSuperclass(), found);
        for (Class<?> superinterface : type.getInterfaces())
            supertypes(superinterface, found);
    }

    private static Set<Class<?>> supertypes(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        supertypes(type, found);
        return found;
    }

    // ---- samples ----

    private static void samples(String[] names) throws Throwable {
        for (String name : names) {
            Class<?> type = Class.forName(name);
            for (Class<?> reference : supertypes(type)) {
                for (String method : List.of("m", "n", "p", "q", "a", "z", "toString"))
                    select(reference, method, type);
                for (String method : List.of("m", "n", "p", "q", "a", "s", "toString"))
                    method(reference, method, MethodType.methodType(String.class));
                for (String field : List.of("F", "G", "f"))
                    field(reference, field, String.class);
            }
        }
    }

    private static void select(Class<?> reference, String name, Class<?> type) throws Throwable {
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers()))
            return;
        if (name.equals("toString") && type.getMethod(name).getDeclaringClass() == Object.class)
            return;
        MethodHandle handle;
        try {
            handle = lookup(reference)
                    .findVirtual(reference, name, MethodType.methodType(String.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return;
        }
        String answer;
        try {
            answer = (String) handle.invoke(type.getDeclaredConstructor().newInstance());
        } catch (IncompatibleClassChangeError e) {
            answer = "error";
        }
        System.out.println("select " + internal(reference) + " " + name + " " + STRING + " "
                + internal(type) + " = " + answer);
    }

    // ---- resolution ----

    /** Virtual or static, whichever there is. */
    private static void method(Class<?> type, String name, MethodType signature) throws Throwable {
        MethodHandles.Lookup lookup = lookup(type);
        MethodHandle handle = null;
        try {
            handle = lookup.findVirtual(type, name, signature);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            try {
                handle = lookup.findStatic(type, name, signature);
            } catch (NoSuchMethodException | IllegalAccessException notStatic) {
                return;
            }
        }
        Class<?> declarer;
        try {
            declarer = declarer(type, name, signature, lookup.revealDirect(handle), lookup);
        } catch (IllegalArgumentException e) {
            return;
        }
        // HotSpot calls an interface's own equals, hashCode or toString as java.lang.Object's, and
        // says so; the specification (5.4.3.4) has the interface's.
        if (type.isInterface() && declarer == Object.class && declares(type, name, signature))
            return;
        if (declarer.isInterface() && isOpen(type, name, signature))
            return;
        System.out.println("method " + internal(type) + " " + name + " "
                + signature.toMethodDescriptorString() + " = "
                + internal(declarer));
    }

    /** Of several abstract methods in superinterfaces the JVM may take any (5.4.3.3, 5.4.3.4). */
    private static boolean isOpen(Class<?> type, String name, MethodType signature)
            throws ReflectiveOperationException {
        int count = 0;
        for (Class<?> supertype : supertypes(type)) {
            if (!supertype.isInterface() || supertype == type
                    || !declares(supertype, name, signature))
                continue;
            if (Modifier.isAbstract(supertype
                    .getDeclaredMethod(name, signature.parameterArray()).getModifiers()))
                count++;
        }
        return count > 1 && !declares(type, name, signature);
    }

    private static boolean declares(Class<?> type, String name, MethodType signature) {
        try {
            type.getDeclaredMethod(name, signature.parameterArray());
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** HotSpot names the class itself where it inherits a default method; reflection knows better. */
    private static Class<?> declarer(Class<?> type, String name, MethodType signature,
            MethodHandleInfo info, MethodHandles.Lookup lookup) {
        if (info.getDeclaringClass() == type && !declares(type, name, signature))
            return info.reflectAs(Method.class, lookup).getDeclaringClass();
        return info.getDeclaringClass();
    }

    private static void field(Class<?> type, String name, Class<?> fieldType) throws Throwable {
        MethodHandles.Lookup lookup = lookup(type);
        MethodHandle handle;
        try {
            handle = lookup.findGetter(type, name, fieldType);
        } catch (NoSuchFieldException | IllegalAccessException e) {
            try {
                handle = lookup.findStaticGetter(type, name, fieldType);
            } catch (NoSuchFieldException | IllegalAccessException notStatic) {
                return;
            }
        }
        System.out.println("field " + internal(type) + " " + name + " "
                + fieldType.descriptorString() + " = "
                + internal(lookup.revealDirect(handle).getDeclaringClass()));
    }

    // ---- a whole jar ----

    private static void jar(String path) throws Throwable {
        List<String> names = new ArrayList<>();
        try (JarFile jar = new JarFile(path)) {
            jar.stream().map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF")
                            && !name.equals("module-info.class"))
                    .sorted().forEach(names::add);
        }
        for (String name : names) {
            try {
                members(Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), false,
                        ResolveOracle.class.getClassLoader()));
            } catch (LinkageError e) {
                // Some other jar is not here.
            }
        }
    }

    private static void members(Class<?> type) throws Throwable {
        Set<String> seen = new TreeSet<>();
        for (Class<?> supertype : supertypes(type)) {
            for (Method method : supertype.getDeclaredMethods()) {
                MethodType signature =
                        MethodType.methodType(method.getReturnType(), method.getParameterTypes());
                if (seen.add(method.getName() + signature))
                    method(type, method.getName(), signature);
            }
            for (Field field : supertype.getDeclaredFields())
                if (seen.add(field.getName() + " " + field.getType()))
                    field(type, field.getName(), field.getType());
        }
    }
}
