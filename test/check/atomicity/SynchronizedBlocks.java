// options: --expect-atomic exported
import java.util.Vector;

/** Synchronized blocks are expected to be atomic, too, also in a method that is not. */
class SynchronizedBlocks implements Runnable {
    private final Vector<String> names = new Vector<>();
    private final Object mu = new Object();
    private int count /*# guarded_by mu */;

    public void run() { // silent: run is not expected to be atomic
        synchronized (mu) { // silent
            count++;
            count--;
        }
        synchronized (mu) { // expect: not-atomic
            if (!names.contains("x")) { // path
                names.add("x"); // path
            }
        }
        synchronized (names) { // silent: only one of the two steps is there
            names.add("y");
        }
        synchronized (mu) { // silent: the inner block is one step
            count++;
            synchronized (names) {
                count--;
            }
        }
        synchronized (mu) { // expect: not-atomic
            synchronized (names) {
                count++;
            } // path
            synchronized (names) { // path
                count--;
            }
        }
    }
}
