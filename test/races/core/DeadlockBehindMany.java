import quiet.Deadlock;
import quiet.Order;

/** Two threads take two locks in opposite orders and wait for each other, in a crowd that waits for something else. Wrong. */
public class DeadlockBehindMany {
    private static final int CROWD = 400;
    private static final long STACK = 128 << 10;
    private static final Object BUSY = new Object();
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    private static void leftFirst() {
        synchronized (LEFT) {
            Order.reach("left");
            Order.await("right");
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

    private static void waitForMain() {
        synchronized (BUSY) {
            System.out.println("main has let go");
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        synchronized (BUSY) {
            for (int i = 0; i < CROWD; i++) {
                Thread thread = new Thread(null, DeadlockBehindMany::waitForMain, "crowd " + i, STACK);
                thread.start();
                Order.awaitBlocked(thread);
            }
            new Thread(DeadlockBehindMany::leftFirst, "left").start();
            new Thread(DeadlockBehindMany::rightFirst, "right").start();
            Deadlock.await(2);
            System.out.println("ok");
            System.exit(0);
        }
    }
}
