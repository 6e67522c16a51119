import java.util.concurrent.CountDownLatch;

/** Right: one latch starts the workers, another one says that all are done. */
public class LatchGate {
    static final CountDownLatch start = new CountDownLatch(1);
    static final CountDownLatch done = new CountDownLatch(3);
    static final int[] results = new int[3];
    static int factor = 1;

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 3; i++) {
            int number = i;
            new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                results[number] = factor * number;
                done.countDown();
            }).start();
        }
        factor = 10;
        start.countDown();
        done.await();
        factor = 0;
        if (results[0] + results[1] + results[2] != 30) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
