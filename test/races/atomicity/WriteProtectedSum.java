import quiet.Threads;

/**
 * A race with peek(), but whoever holds the lock sees one value, because all writes hold it. Without lockset pairs each
 * read is a step.
 */
public class WriteProtectedSum {
    private static final Object LOCK = new Object();
    private static int x = 1;

    public static void set(int to) {
        synchronized (LOCK) {
            x = to; //! race observed WriteProtectedSum.x
        }
    }

    public static int twice() {
        synchronized (LOCK) {
            int first = x;
            return first + x; //! with --without write-protected-data: atomicity predicted WriteProtectedSum.twice
        }
    }

    public static int peek() {
        return x; //! race observed WriteProtectedSum.x
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> {
            set(2);
            twice();
        }, WriteProtectedSum::peek);
        System.out.println(twice() == 4 ? "ok" : "torn");
    }
}
