import quiet.Order;

/** Wrong: a thread gives the object from its ThreadLocal away and goes on using it. */
public class ThreadLocalLeaked {
    static class Counter {
        int count;
    }

    static final ThreadLocal<Counter> OWN = ThreadLocal.withInitial(Counter::new);
    static volatile Counter leaked;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            leaked = OWN.get();
            OWN.get().count++; //! race observed ThreadLocalLeaked$Counter.count
            Order.reach("counted");
        });
        first.start();
        Order.await("counted");
        leaked.count++; //! race observed ThreadLocalLeaked$Counter.count
        OWN.get().count++; // the main thread's own
        first.join();
        System.out.println("ok");
    }
}
