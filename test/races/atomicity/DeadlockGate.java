import quiet.Threads;

/** Right: both orders, but only behind a third lock, so that never two threads are there. */
public class DeadlockGate {
    private static final Object GATE = new Object();
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    static void both(Object first, Object second) {
        synchronized (GATE) {
            synchronized (first) {
                synchronized (second) {
                }
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.together(() -> both(LEFT, RIGHT), () -> both(RIGHT, LEFT));
        System.out.println("ok");
    }
}
