import quiet.Threads;

/** Wrong: no race, but the lock is given up between the read and the write. */
public class SameLockTwice {
    static class Counter {
        private int value;

        public synchronized int get() {
            return value;
        }

        public synchronized void set(int to) {
            value = to; //! atomicity predicted SameLockTwice$Counter.increment
        }

        public void increment() {
            set(get() + 1);
        }
    }

    public static void main(String[] arguments) {
        Counter counter = new Counter();
        Threads.inTurn(counter::increment, counter::increment);
        System.out.println(counter.get() == 2 ? "ok" : "lost");
    }
}
