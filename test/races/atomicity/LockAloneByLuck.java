import quiet.Order;

/** Wrong: a method takes the lock twice when the others have been started; that they come later to it is luck. */
public class LockAloneByLuck {
    static final class Counter {
        private int value;

        synchronized void add(int by) {
            value += by; //! atomicity predicted LockAloneByLuck.setUp
        }

        synchronized int get() {
            return value;
        }
    }

    public static void setUp(Counter counter) {
        int value = counter.get();
        counter.add(value + 1);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        Thread other = new Thread(() -> {
            Order.await("set up");
            counter.add(1);
        });
        other.start();
        setUp(counter);
        Order.reach("set up");
        other.join();
        System.out.println("ok");
    }
}
