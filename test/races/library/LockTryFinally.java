import java.util.concurrent.locks.ReentrantLock;

/** Right: every access of the counter is between lock() and unlock() in a finally block. */
public class LockTryFinally {
    static class Counter {
        final ReentrantLock lock = new ReentrantLock();
        int count;

        void increment() {
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Runnable work = () -> {
            for (int i = 0; i < 500; i++) {
                counter.increment();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (counter.count != 1000) {
            throw new AssertionError(counter.count);
        }
        System.out.println("ok");
    }
}
