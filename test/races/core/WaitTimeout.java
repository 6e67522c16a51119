/** Right: waiting with a timeout, again and again, until the data is there. */
public class WaitTimeout {
    static final Object LOCK = new Object();
    static int value;
    static int[] result;

    public static void main(String[] arguments) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            try {
                synchronized (LOCK) {
                    while (value == 0) {
                        LOCK.wait(1);
                    }
                    result = new int[] {value};
                    LOCK.wait(0, 1000);
                    result[0]++;
                    LOCK.notifyAll();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        waiter.start();
        synchronized (LOCK) {
            value = 41;
            while (result == null || result[0] == 41) {
                LOCK.wait(5);
            }
            value = result[0];
        }
        waiter.join();
        System.out.println(value == 42 ? "ok" : "wrong value");
    }
}
