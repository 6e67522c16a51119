import quiet.Order;

/** Wrong: two threads run one anonymous object that counts in a field of its own. */
public class AnonymousClass {
    public static void main(String[] arguments) throws InterruptedException {
        String name = arguments.length > 0 ? arguments[0] : "count"; // captured, and only read
        Runnable work = new Runnable() {
            private int count;

            @Override
            public void run() {
                count += name.length(); //! race observed AnonymousClass$1.count
            }
        };
        Thread first = new Thread(() -> {
            work.run();
            Order.reach("run");
        });
        first.start();
        Order.await("run");
        work.run();
        first.join();
        System.out.println("ok");
    }
}
