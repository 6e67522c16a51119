import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Right: the runs of a periodic task come one after the other, even on different workers. */
public class ScheduledPeriodic {
    static final CountDownLatch done = new CountDownLatch(1);
    static int rate;
    static int delay;

    public static void main(String[] arguments) throws Exception {
        ScheduledExecutorService executor = Executors.newScheduledThreadPool(3);
        CountDownLatch half = new CountDownLatch(1);
        executor.scheduleAtFixedRate(() -> {
            rate++;
            if (rate == 10) {
                half.countDown();
            }
        }, 0, 1, TimeUnit.MILLISECONDS);
        executor.scheduleWithFixedDelay(() -> {
            delay++;
            if (delay == 10) {
                done.countDown();
            }
        }, 0, 1, TimeUnit.MILLISECONDS);
        half.await();
        done.await();
        executor.shutdown();
        if (!executor.awaitTermination(1, TimeUnit.MINUTES) || rate < 10 || delay < 10) {
            throw new AssertionError(rate + " " + delay);
        }
        System.out.println("ok");
    }
}
