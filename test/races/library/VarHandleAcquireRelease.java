import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Right: setRelease() of a VarHandle publishes to getAcquire(). */
public class VarHandleAcquireRelease {
    static int letter = 1;
    static int sequence;
    static final VarHandle SEQUENCE;

    static {
        try {
            SEQUENCE = MethodHandles.lookup().findStaticVarHandle(VarHandleAcquireRelease.class, "sequence", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            letter = 42;
            SEQUENCE.setRelease(1);
        });
        Thread reader = new Thread(() -> {
            while ((int) SEQUENCE.getAcquire() == 0) {
                Thread.yield();
            }
            if (letter != 42) {
                throw new AssertionError();
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
