import quiet.Deadlock;
import quiet.Order;

/**
 * Two threads take two locks in opposite orders, and each gets its first one. Wrong, and in this run they wait for each
 * other until the program is ended from outside. Told also from samples, and from a trace of the whole run.
 */
public class DeadlockHappens {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    private static void leftFirst() {
        synchronized (LEFT) {
            Order.reach("left");
            Order.await("right");
            //! with --atomicity both --atomic none: deadlock observed 2
            //! with --atomicity both --atomic none --events distinct: deadlock observed 2
            synchronized (RIGHT) { //! deadlock observed 2
                System.out.println("both");
            }
        }
    }

    private static void rightFirst() {
        synchronized (RIGHT) {
            Order.reach("right");
            Order.await("left");
            synchronized (LEFT) { //! deadlock observed 2
                System.out.println("both");
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Thread(DeadlockHappens::leftFirst, "left").start();
        new Thread(DeadlockHappens::rightFirst, "right").start();
        Deadlock.await(2);
        System.out.println("ok");
        System.exit(0);
    }
}
