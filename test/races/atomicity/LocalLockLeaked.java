import quiet.Order;
import quiet.Threads;

/** Wrong with all refinements: the counter that was the thread's own is found by another one. */
public class LocalLockLeaked {
    static class Counter {
        private int value;

        public synchronized void add(int amount) {
            value += amount; //! atomicity predicted LocalLockLeaked.count
        }
    }

    private static volatile Counter last;

    public static void count(Counter counter) {
        counter.add(1);
        counter.add(2);
    }

    static void own() {
        Counter counter = new Counter();
        last = counter;
        count(counter);
        Order.reach("counted");
    }

    static void foreign() {
        Order.await("counted");
        last.add(5);
    }

    public static void main(String[] arguments) {
        Threads.together(LocalLockLeaked::own, LocalLockLeaked::foreign);
        System.out.println(last.value == 8 ? "ok" : "lost");
    }
}
