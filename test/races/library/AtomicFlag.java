import java.util.concurrent.atomic.AtomicBoolean;

/** Right: set() of an AtomicBoolean publishes what was written before to the thread whose get() sees it. */
public class AtomicFlag {
    static class Report {
        final AtomicBoolean ready = new AtomicBoolean();
        int pages;
        String title;
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report();
        report.pages = 1;
        Thread writer = new Thread(() -> {
            report.pages = 10;
            report.title = "title";
            report.ready.set(true);
        });
        Thread reader = new Thread(() -> {
            while (!report.ready.get()) {
                Thread.yield();
            }
            if (report.pages != 10 || !report.title.equals("title")) {
                throw new AssertionError();
            }
            report.pages = 11;
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        if (report.pages != 11) {
            throw new AssertionError(report.pages);
        }
        System.out.println("ok");
    }
}
