import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Right: the timed tryLock() got the lock each time the counter is touched. */
public class LockTimed {
    static class Counter {
        final ReentrantLock lock = new ReentrantLock(true);
        int count;

        boolean increment() throws InterruptedException {
            if (!lock.tryLock(1, TimeUnit.MINUTES)) {
                return false;
            }
            try {
                count++;
            } finally {
                lock.unlock();
            }
            return true;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Runnable work = () -> {
            try {
                for (int i = 0; i < 100; i++) {
                    if (!counter.increment()) {
                        throw new AssertionError("no lock");
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (counter.count != 200) {
            throw new AssertionError(counter.count);
        }
        System.out.println("ok");
    }
}
