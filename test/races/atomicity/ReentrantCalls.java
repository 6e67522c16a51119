import quiet.Threads;

/** Right: methods that take the lock are called with the lock held. Without re-entrant locks each call is a step. */
public class ReentrantCalls {
    static class Counter {
        private int value;

        public synchronized int get() {
            return value;
        }

        public synchronized void set(int to) {
            value = to; //! with --without reentrant-locks: atomicity predicted ReentrantCalls$Counter.increment
        }

        public synchronized void increment() {
            set(get() + 1);
        }
    }

    public static void main(String[] arguments) {
        Counter counter = new Counter();
        Threads.inTurn(counter::increment, counter::increment);
        System.out.println(counter.get() == 2 ? "ok" : "lost");
    }
}
