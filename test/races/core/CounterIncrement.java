import quiet.Order;

/** Wrong: count++ is a read and a write; without a lock two threads lose counts. */
public class CounterIncrement {
    private int count;

    void increment() {
        count++; //! race observed CounterIncrement.count
    }

    public static void main(String[] arguments) throws InterruptedException {
        CounterIncrement counter = new CounterIncrement();
        Thread first = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                counter.increment();
            }
            Order.reach("counted");
        });
        Thread second = new Thread(() -> {
            Order.await("counted");
            for (int i = 0; i < 1000; i++) {
                counter.increment();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
