import quiet.Threads;

/** Right: both orders, but in one thread; the other one has a single lock at a time. */
public class DeadlockOneThread {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.together(() -> {
            both(LEFT, RIGHT);
            both(RIGHT, LEFT);
        }, () -> {
            both(LEFT, LEFT);
            both(RIGHT, RIGHT);
        });
        System.out.println("ok");
    }
}
