import java.util.concurrent.atomic.AtomicBoolean;
import quiet.Order;

/** Wrong: the flag is set before the data is written. */
public class AtomicFlagEarly {
    static class Report {
        final AtomicBoolean ready = new AtomicBoolean();
        int pages;
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report();
        Thread writer = new Thread(() -> {
            report.ready.set(true);
            report.pages = 10;
            Order.reach("written");
        });
        Thread reader = new Thread(() -> {
            while (!report.ready.get()) {
                Thread.yield();
            }
            Order.await("written");
            if (report.pages != 10) { //! race observed AtomicFlagEarly$Report.pages
                throw new AssertionError();
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
