import quiet.Threads;

/** Wrong: an exception that is caught inside the block does not end it. */
public class ExceptionCaughtInside {
    private static final Object LOCK = new Object();
    private static int value;

    public static void fail() {
        synchronized (LOCK) {
            value++;
            throw new IllegalStateException();
        }
    }

    public static void retry() {
        try {
            fail();
        } catch (IllegalStateException e) {
            synchronized (LOCK) { //! atomicity predicted ExceptionCaughtInside.retry
                value--; //! atomicity predicted ExceptionCaughtInside.retry
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ExceptionCaughtInside::retry, ExceptionCaughtInside::retry);
        System.out.println(value == 0 ? "ok" : "lost");
    }
}
