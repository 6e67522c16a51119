import quiet.Order;

/** Wrong: data that two threads only read is then written by the thread that made it. */
public class ReadSharedWritten {
    static int limit;

    static Thread reading(String step) {
        return new Thread(() -> {
            int seen = limit; //! race observed ReadSharedWritten.limit
            if (seen == 3) {
                Order.reach(step);
            }
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        limit = 3;
        Thread first = reading("first");
        Thread second = reading("second");
        first.start();
        second.start();
        Order.await("first");
        Order.await("second");
        limit = 4; //! race observed ReadSharedWritten.limit
        first.join();
        second.join();
        System.out.println("ok");
    }
}
