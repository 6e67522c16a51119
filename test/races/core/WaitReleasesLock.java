import quiet.Order;

/**
 * Right: wait gives up a lock however often it was entered, and has it again afterwards: both threads have the lock.
 */
public class WaitReleasesLock {
    private boolean ready;
    private int value;

    synchronized void outer() throws InterruptedException {
        synchronized (this) {
            value++;
            Order.reach("waiting");
            while (!ready) {
                wait();
            }
            value++;
        }
        value++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        WaitReleasesLock object = new WaitReleasesLock();
        Thread waiter = new Thread(() -> {
            try {
                object.outer();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        waiter.start();
        Order.await("waiting");
        synchronized (object) { // free when the other one waits
            object.value++;
            object.ready = true;
            object.notify();
            object.value++;
        }
        waiter.join();
        System.out.println(object.value == 5 ? "ok" : "lost an addition");
    }
}
