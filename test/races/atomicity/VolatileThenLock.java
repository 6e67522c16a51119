import quiet.Threads;

/** Wrong: the flag can change between the look at it and the lock. */
public class VolatileThenLock {
    private static final Object LOCK = new Object();
    private static volatile boolean open = true;
    private static int entries;

    public static void add() {
        if (open) {
            synchronized (LOCK) { //! atomicity predicted VolatileThenLock.add
                entries++;
            }
        }
    }

    public static void close() {
        synchronized (LOCK) {
            open = false;
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(VolatileThenLock::add, VolatileThenLock::close);
        System.out.println(entries == 1 ? "ok" : "lost");
    }
}
