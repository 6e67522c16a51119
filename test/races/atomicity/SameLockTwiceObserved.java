import quiet.Order;
import quiet.Threads;

/** Wrong: in this run the other write comes between the read and the write, and is lost. */
public class SameLockTwiceObserved {
    static class Counter {
        private int value;

        public synchronized int get() {
            return value;
        }

        public synchronized void set(int to) {
            value = to; //! atomicity observed SameLockTwiceObserved$Counter.increment
        }

        public void increment() {
            int before = get();
            Order.reach("read");
            Order.await("written");
            set(before + 1);
        }
    }

    public static void main(String[] arguments) {
        Counter counter = new Counter();
        Threads.together(counter::increment, () -> {
            Order.await("read");
            counter.set(7);
            Order.reach("written");
        });
        System.out.println(counter.get() == 1 ? "ok" : "not lost");
    }
}
