import java.util.List;
import java.util.Vector;
import quiet.Deadlock;
import quiet.Order;

/**
 * Two threads hold a synchronized list each and ask for the size of the other one, and so do two others. Wrong: they wait
 * in the JDK's code, all at the same place, but these are two deadlocks of the program.
 */
public class DeadlockInLibrary {
    private static final List<Object> LEFT = new Vector<>();
    private static final List<Object> RIGHT = new Vector<>();
    private static final List<Object> UPPER = new Vector<>();
    private static final List<Object> LOWER = new Vector<>();

    private static void leftFirst() {
        synchronized (LEFT) {
            Order.reach("left");
            Order.await("right");
            RIGHT.size(); //! deadlock observed 2
        }
    }

    private static void rightFirst() {
        synchronized (RIGHT) {
            Order.reach("right");
            Order.await("left");
            LEFT.size(); //! deadlock observed 2
        }
    }

    private static void upperFirst() {
        synchronized (UPPER) {
            Order.reach("upper");
            Order.await("lower");
            LOWER.size(); //! deadlock observed 2
        }
    }

    private static void lowerFirst() {
        synchronized (LOWER) {
            Order.reach("lower");
            Order.await("upper");
            UPPER.size(); //! deadlock observed 2
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Thread(DeadlockInLibrary::leftFirst, "left").start();
        new Thread(DeadlockInLibrary::rightFirst, "right").start();
        new Thread(DeadlockInLibrary::upperFirst, "upper").start();
        new Thread(DeadlockInLibrary::lowerFirst, "lower").start();
        Deadlock.await(4);
        System.out.println("ok");
        System.exit(0);
    }
}
