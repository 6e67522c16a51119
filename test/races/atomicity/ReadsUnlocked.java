import quiet.Threads;

/** Wrong: all writes hold the lock, but a reader without it can see two different values. */
public class ReadsUnlocked {
    private static final Object LOCK = new Object();
    private static int x;

    public static void increment() {
        synchronized (LOCK) {
            x++; //! race observed ReadsUnlocked.x
        }
    }

    public static boolean isStable() {
        int before = x;
        return before == x; //! atomicity predicted ReadsUnlocked.isStable
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ReadsUnlocked::increment, () -> {
            if (!isStable()) {
                throw new AssertionError();
            }
        });
        System.out.println("ok");
    }
}
