/**
 * Right: one thread makes and fills the counter, another one has it from then on. Without thread-local (2) locks there
 * are two threads that use the lock.
 */
public class HandedLock {
    static class Counter {
        private int value;

        public synchronized void add(int amount) {
            value += amount; //! with --without thread-local-2-locks: atomicity predicted HandedLock.count
        }
    }

    public static void count(Counter counter) {
        counter.add(1);
        counter.add(2);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        counter.add(5);
        Thread worker = new Thread(() -> count(counter));
        worker.start();
        worker.join();
        System.out.println(counter.value == 8 ? "ok" : "lost");
    }
}
