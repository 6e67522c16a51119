import quiet.Order;

/** Wrong: a flag is tested before the lock is taken, to save the waiting. */
public class WaitOutside {
    static final Object LOCK = new Object();
    static boolean ready;

    public static void main(String[] arguments) throws InterruptedException {
        Thread signaller = new Thread(() -> {
            synchronized (LOCK) {
                ready = true; //! race observed WaitOutside.ready
                LOCK.notifyAll();
            }
            Order.reach("signalled");
        });
        signaller.start();
        Order.await("signalled");
        if (!ready) { //! race observed WaitOutside.ready
            synchronized (LOCK) {
                while (!ready) {
                    LOCK.wait();
                }
            }
        }
        signaller.join();
        System.out.println("ok");
    }
}
