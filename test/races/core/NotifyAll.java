/** Right: four threads wait for one signal; each then counts itself under the lock. */
public class NotifyAll {
    static final Object LOCK = new Object();
    static boolean open;
    static int waiting;
    static int through;

    static void pass() {
        synchronized (LOCK) {
            waiting++;
            LOCK.notifyAll();
            try {
                while (!open) {
                    LOCK.wait();
                }
            } catch (InterruptedException e) {
                return;
            }
            through++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(NotifyAll::pass);
            threads[i].start();
        }
        synchronized (LOCK) {
            while (waiting < threads.length) {
                LOCK.wait();
            }
            open = true;
            LOCK.notifyAll();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(through == 4 ? "ok" : "somebody is missing");
    }
}
