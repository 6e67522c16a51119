import quiet.Order;

/**
 * With locksets alone the protocol of TwoLocks (write with both, read with any) is not understood: no lock is always
 * held.
 */
public class LocksetTwoLocks {
    //! options: --races lockset
    static final Object LEFT = new Object();
    static final Object RIGHT = new Object();
    static int value;

    static void write() {
        synchronized (LEFT) {
            synchronized (RIGHT) {
                value = 1;
            }
        }
    }

    static int readLeft() {
        synchronized (LEFT) {
            return value; //! race predicted LocksetTwoLocks.value
        }
    }

    static int readRight() {
        synchronized (RIGHT) {
            return value;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        write();
        Thread thread = new Thread(() -> {
            write(); // takes the field over
            Order.reach("taken");
            Order.await("shared");
            readRight(); // leaves RIGHT as the only candidate
            Order.reach("read");
        });
        thread.start();
        Order.await("taken");
        write(); // shared-modified, with both locks as candidates
        Order.reach("shared");
        Order.await("read");
        readLeft(); // leaves none
        thread.join();
        System.out.println("ok");
    }
}
