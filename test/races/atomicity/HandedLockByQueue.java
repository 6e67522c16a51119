import java.util.concurrent.ArrayBlockingQueue;
import quiet.Threads;

/** Right: the counter goes through a queue, and who put it there does not look at it any more. */
public class HandedLockByQueue {
    static class Counter {
        private int value;

        public synchronized void add(int amount) {
            value += amount; //! with --without thread-local-2-locks: atomicity predicted HandedLockByQueue.count
        }
    }

    private static final ArrayBlockingQueue<Counter> queue = new ArrayBlockingQueue<>(1);

    public static void count(Counter counter) {
        counter.add(1);
        counter.add(2);
    }

    static void produce() {
        Counter counter = new Counter();
        counter.add(5);
        queue.add(counter);
    }

    static void consume() {
        try {
            count(queue.take());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) {
        Threads.together(HandedLockByQueue::produce, HandedLockByQueue::consume);
        System.out.println("ok");
    }
}
