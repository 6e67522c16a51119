import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import quiet.Order;

/** Wrong: the letter is written after the setRelease() that should publish it. */
public class VarHandleWrittenAfterRelease {
    static int letter;
    static int sequence;
    static final VarHandle SEQUENCE;

    static {
        try {
            SEQUENCE = MethodHandles.lookup().findStaticVarHandle(VarHandleWrittenAfterRelease.class, "sequence",
                    int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            SEQUENCE.setRelease(1);
            letter = 42;
            Order.reach("written");
        });
        Thread reader = new Thread(() -> {
            while ((int) SEQUENCE.getAcquire() == 0) {
                Thread.yield();
            }
            Order.await("written");
            if (letter != 42) { //! race observed VarHandleWrittenAfterRelease.letter
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
