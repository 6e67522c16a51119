/** Right: monitors and waits that fail (null, a bad timeout, a lock that is not held) leave the locks as they were. */
public class MonitorFailures {
    static final Object LOCK = new Object();
    static int value;

    static void work(Object nothing) {
        synchronized (LOCK) {
            value++;
            try {
                synchronized (nothing) {
                    value += 100;
                }
            } catch (NullPointerException e) {
                value++;
            }
            try {
                LOCK.wait(-1);
            } catch (IllegalArgumentException | InterruptedException e) {
                value++;
            }
            try {
                new Object().notifyAll();
            } catch (IllegalMonitorStateException e) {
                value++;
            }
            try {
                nothing.wait();
            } catch (NullPointerException | InterruptedException e) {
                value++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable loop = () -> {
            for (int i = 0; i < 20; i++) {
                work(null);
            }
        };
        Thread first = new Thread(loop);
        Thread second = new Thread(loop);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(value == 200 ? "ok" : "lost an addition");
    }
}
