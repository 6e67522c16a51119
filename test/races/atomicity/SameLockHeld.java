import quiet.Threads;

/** Right: the lock is held from the read to the write; that it is taken again meanwhile concerns nobody. */
public class SameLockHeld {
    static class Counter {
        private int value;

        public synchronized int get() {
            return value;
        }

        public synchronized void set(int to) {
            value = to;
        }

        public synchronized void increment() {
            set(get() + 1);
        }
    }

    public static void main(String[] arguments) {
        Counter counter = new Counter();
        Threads.together(counter::increment, counter::increment, () -> counter.get());
        System.out.println(counter.get() == 2 ? "ok" : "lost");
    }
}
