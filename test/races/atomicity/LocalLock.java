import quiet.Threads;

/** Right: each thread locks a counter of its own. Without thread-local locks that looks like two steps. */
public class LocalLock {
    static class Counter {
        private int value;

        public synchronized void add(int amount) {
            value += amount; //! with --without thread-local-locks: atomicity predicted LocalLock.count
        }
    }

    public static int count() {
        Counter counter = new Counter();
        counter.add(1);
        counter.add(2);
        return counter.value;
    }

    static void work() {
        if (count() != 3) {
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) {
        Threads.together(LocalLock::work, LocalLock::work);
        System.out.println("ok");
    }
}
