import java.util.concurrent.atomic.AtomicInteger;
import quiet.Order;

/** Wrong: of two counters that go together only one is atomic. */
public class AtomicBesidePlain {
    static class Statistics {
        final AtomicInteger requests = new AtomicInteger();
        long bytes;
    }

    public static void main(String[] arguments) throws Exception {
        Statistics statistics = new Statistics();
        Thread first = new Thread(() -> {
            statistics.requests.incrementAndGet();
            Order.await("second counted");
            statistics.bytes += 100;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            statistics.requests.incrementAndGet();
            Order.reach("second counted");
            Order.await("first wrote");
            statistics.bytes += 50; //! race observed AtomicBesidePlain$Statistics.bytes
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
