import quiet.Order;

/** Wrong with all refinements: who has handed the counter over goes on to use it. */
public class HandedLockKept {
    static class Counter {
        private int value;

        public synchronized void add(int amount) {
            value += amount; //! atomicity predicted HandedLockKept.count
        }
    }

    public static void count(Counter counter) {
        counter.add(1);
        counter.add(2);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        counter.add(5);
        Thread worker = new Thread(() -> {
            Order.await("kept");
            count(counter);
        });
        worker.start();
        counter.add(7);
        Order.reach("kept");
        worker.join();
        System.out.println(counter.value == 15 ? "ok" : "lost");
    }
}
