import quiet.Threads;

/** Right: the lock is held for the look, too. */
public class SetBestLocked {
    private static final Object LOCK = new Object();
    private static int best = 100;

    public static void setBest(int length) {
        synchronized (LOCK) {
            if (length < best) {
                best = length;
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.together(() -> setBest(50), () -> setBest(40), () -> setBest(60));
        System.out.println(best == 40 ? "ok" : "not the best");
    }
}
