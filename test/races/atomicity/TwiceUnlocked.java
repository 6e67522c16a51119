import quiet.Threads;

/** Wrong: the lock around the two accesses does not keep away a thread that does without it. */
public class TwiceUnlocked {
    private static final Object LOCK = new Object();
    private static int x = 1;

    public static void twice() {
        synchronized (LOCK) {
            int before = x;
            x = 2 * before; //! atomicity predicted TwiceUnlocked.twice
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(TwiceUnlocked::twice, () -> {
            x = 5; //! race observed TwiceUnlocked.x
        });
        System.out.println("ok");
    }
}
