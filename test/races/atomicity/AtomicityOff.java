import quiet.Threads;

/** Neither blocks nor the order of locks are looked at, only races. */
public class AtomicityOff {
    //! options: --atomicity off
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static int value;

    public static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
        synchronized (first) {
        }
        value++; //! race observed AtomicityOff.value
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> both(LEFT, RIGHT), () -> both(RIGHT, LEFT));
        System.out.println("ok");
    }
}
