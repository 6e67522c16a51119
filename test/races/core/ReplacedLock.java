import quiet.Order;

/**
 * Wrong: the field that holds the lock is replaced, so that two threads lock two objects; the field itself races too.
 */
public class ReplacedLock {
    private static Object lock = new Object();
    private static int value;

    static void add() {
        synchronized (lock) { //! race observed ReplacedLock.lock
            value++; //! race observed ReplacedLock.value
            lock = new Object(); //! race observed ReplacedLock.lock
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            add();
            Order.reach("added");
        });
        first.start();
        Order.await("added");
        add();
        first.join();
        System.out.println("ok");
    }
}
