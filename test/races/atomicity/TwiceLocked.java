import quiet.Threads;

/** Right: who writes holds the lock, always. */
public class TwiceLocked {
    private static final Object LOCK = new Object();
    private static int x = 1;

    public static void twice() {
        synchronized (LOCK) {
            int before = x;
            x = 2 * before;
        }
    }

    public static void set(int value) {
        synchronized (LOCK) {
            x = value;
        }
    }

    public static void main(String[] arguments) {
        Threads.together(TwiceLocked::twice, () -> set(5), TwiceLocked::twice);
        System.out.println("ok");
    }
}
