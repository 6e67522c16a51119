import quiet.Order;

/** Wrong: one thread reads, another writes later, both without the lock that was handed over between. */
public class ReadThenWrittenPredicted {
    static int limit;
    static final Object LOCK = new Object();
    static int others;

    static void somethingElse() {
        synchronized (LOCK) {
            others++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        limit = 3;
        Thread reader = new Thread(() -> {
            int seen = limit; //! race predicted ReadThenWrittenPredicted.limit
            if (seen == 3) {
                somethingElse();
            }
            Order.reach("read");
        });
        Thread writer = new Thread(() -> {
            Order.await("read");
            somethingElse();
            limit = 4; //! race predicted ReadThenWrittenPredicted.limit
        });
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println(limit == 4 ? "ok" : "another limit");
    }
}
