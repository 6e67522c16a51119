import quiet.Threads;

/** Right: a block that ends with an exception has ended, and what follows is not part of it. */
public class ExceptionLeavesBlock {
    private static final Object LOCK = new Object();
    private static int value;

    public static void fail() {
        synchronized (LOCK) {
            value++;
            throw new IllegalStateException();
        }
    }

    public static synchronized void failSynchronized() {
        fail();
    }

    public static void increment() {
        synchronized (LOCK) {
            value++;
        }
    }

    static void work() {
        try {
            fail();
        } catch (IllegalStateException e) {
            increment();
        }
        try {
            failSynchronized();
        } catch (IllegalStateException e) {
            increment();
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ExceptionLeavesBlock::work, ExceptionLeavesBlock::work);
        System.out.println(value == 8 ? "ok" : "lost");
    }
}
