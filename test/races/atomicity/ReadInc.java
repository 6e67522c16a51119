import quiet.Threads;

/**
 * A race, but both methods are atomic: all writes hold the lock, so in increment() nobody can write between the read
 * and the write, and the one read of read() is one step. Without lockset pairs both accesses of increment() look
 * unprotected.
 */
public class ReadInc {
    private static final Object LOCK = new Object();
    private static int x;

    public static int read() {
        return x; //! race observed ReadInc.x
    }

    public static void increment() {
        synchronized (LOCK) {
            int before = x;
            //! with --without write-protected-data: atomicity predicted ReadInc.increment
            x = before + 1; //! race observed ReadInc.x
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> {
            increment();
            increment();
        }, ReadInc::read);
        System.out.println(read() == 2 ? "ok" : "lost");
    }
}
