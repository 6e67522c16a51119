import quiet.Order;

/** Wrong: a static field is written by one thread and read by another; a lock for other things orders this run. */
public class StaticFieldPredicted {
    private static int total;

    private static final Object LOCK = new Object();
    private static int others;

    static void somethingElse() {
        synchronized (LOCK) {
            others++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        total = 5;
        Thread writer = new Thread(() -> {
            total = 1; //! race predicted StaticFieldPredicted.total
            somethingElse();
            Order.reach("written");
        });
        Thread reader = new Thread(() -> {
            Order.await("written");
            somethingElse();
            if (total == 7) { //! race predicted StaticFieldPredicted.total
                throw new IllegalStateException();
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
