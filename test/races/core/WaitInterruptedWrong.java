import quiet.Order;

/** Wrong: the handler of InterruptedException is outside of the block, where the lock is not held. */
public class WaitInterruptedWrong {
    static final Object LOCK = new Object();
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            try {
                synchronized (LOCK) {
                    Order.reach("waiting");
                    while (true) {
                        LOCK.wait();
                    }
                }
            } catch (InterruptedException e) {
                Order.await("written");
                value++; //! race observed WaitInterruptedWrong.value
            }
        });
        waiter.start();
        Order.await("waiting");
        waiter.interrupt();
        value = 5; //! race observed WaitInterruptedWrong.value
        Order.reach("written");
        waiter.join();
        System.out.println(value == 6 ? "ok" : "lost an addition");
    }
}
