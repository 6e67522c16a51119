import quiet.Order;

/**
 * Right: a wait that ends with InterruptedException has the lock again, so the handler inside the block is protected.
 */
public class WaitInterrupted {
    static final Object LOCK = new Object();
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (LOCK) {
                value = 1;
                Order.reach("waiting");
                try {
                    while (true) {
                        LOCK.wait();
                    }
                } catch (InterruptedException e) {
                    value++;
                }
                value++;
            }
        });
        waiter.start();
        Order.await("waiting");
        waiter.interrupt();
        synchronized (LOCK) {
            value += 10;
        }
        waiter.join();
        System.out.println(value == 13 ? "ok" : "lost an addition");
    }
}
