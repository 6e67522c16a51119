/**
 * Right: one method takes the lock twice, but only before the threads start that use it, another one only when they have
 * ended. Nobody can come between their steps.
 */
public class LockBeforeShared {
    static final class Counter {
        private int value;

        synchronized void add(int by) {
            value += by;
        }

        synchronized int get() {
            return value;
        }
    }

    public static void setUp(Counter counter) {
        counter.add(2);
        counter.add(counter.get());
    }

    public static boolean isRight(Counter counter) {
        return counter.get() == 6 && counter.get() % 2 == 0;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        setUp(counter);
        Thread[] threads = {new Thread(() -> counter.add(1)), new Thread(() -> counter.add(1))};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(isRight(counter) ? "ok" : "wrong");
    }
}
