import quiet.Order;

/** Wrong: locking the boxed counter that is counted; each count makes another object. */
public class BoxedCounterLock {
    private static Integer count = 1000;

    static void increment() {
        synchronized (count) { //! race observed BoxedCounterLock.count
            count++; //! race observed BoxedCounterLock.count
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            increment();
            Order.reach("counted");
        });
        first.start();
        Order.await("counted");
        increment();
        first.join();
        System.out.println("ok");
    }
}
