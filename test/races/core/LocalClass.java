import quiet.Order;

/** Wrong: a local class with captured variables and a field of its own that two threads change. */
public class LocalClass {
    static Runnable make(int step) {
        class Counter implements Runnable {
            private int count;

            @Override
            public void run() {
                count += step; //! race observed LocalClass$1Counter.count
            }
        }
        return new Counter();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable counter = make(3);
        Thread first = new Thread(() -> {
            counter.run();
            Order.reach("counted");
        });
        first.start();
        Order.await("counted");
        counter.run();
        first.join();
        System.out.println("ok");
    }
}
