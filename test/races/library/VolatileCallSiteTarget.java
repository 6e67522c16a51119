import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VolatileCallSite;
import quiet.Order;

/** Right: who calls through a volatile call site comes after who set its target. */
public class VolatileCallSiteTarget {
    static final class Box {
        int value;
    }

    static final VolatileCallSite SITE = new VolatileCallSite(MethodType.methodType(Box.class));

    public static void main(String[] arguments) throws Throwable {
        Box box = new Box();
        MethodHandle constant = MethodHandles.constant(Box.class, box);
        MethodHandle invoker = SITE.dynamicInvoker();
        Thread first = new Thread(() -> {
            box.value = 1;
            SITE.setTarget(constant);
            Order.reach("set");
        });
        first.start();
        Order.await("set");
        int seen = ((Box) invoker.invokeExact()).value;
        first.join();
        System.out.println(seen > 0 ? "ok" : "nothing");
    }
}
