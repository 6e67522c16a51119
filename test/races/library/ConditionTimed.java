import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Right: the timed forms of await() have the lock again too, whether signalled or not. */
public class ConditionTimed {
    static class Counter {
        final Lock lock = new ReentrantLock();
        final Condition changed = lock.newCondition();
        int count;

        void waitAndCount() throws InterruptedException {
            lock.lock();
            try {
                changed.awaitNanos(1000);
                count++;
                changed.await(1, TimeUnit.MICROSECONDS);
                count++;
                changed.awaitUntil(new Date(0));
                count++;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Runnable work = () -> {
            try {
                for (int i = 0; i < 20; i++) {
                    counter.waitAndCount();
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
        if (counter.count != 120) {
            throw new AssertionError(counter.count);
        }
        System.out.println("ok");
    }
}
