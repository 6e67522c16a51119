/** Right: the counter goes to a thread and, by the join, back again; nobody uses it at the same time. */
public class HandedLockBack {
    static class Counter {
        private int value;

        public synchronized void add(int amount) {
            value += amount; //! with --without thread-local-2-locks: atomicity predicted HandedLockBack.count
        }
    }

    public static void count(Counter counter) {
        counter.add(1);
        counter.add(2);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        count(counter);
        Thread worker = new Thread(() -> count(counter));
        worker.start();
        worker.join();
        count(counter);
        System.out.println(counter.value == 9 ? "ok" : "lost");
    }
}
