import quiet.Threads;

/** Nothing should be atomic; the order of locks is looked at all the same. */
public class AtomicNothing {
    //! options: --atomic none
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    public static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) { //! deadlock 2
            }
        }
        synchronized (first) {
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> both(LEFT, RIGHT), () -> both(RIGHT, LEFT));
        System.out.println("ok");
    }
}
