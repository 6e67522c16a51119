import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/**
 * Right: lockInterruptibly() guards the counter; the thread whose wait is interrupted has no lock
 * and stays away from it.
 */
public class LockInterruptibly {
    static class Counter {
        final ReentrantLock lock = new ReentrantLock();
        int count;

        void increment() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Thread holder = new Thread(() -> {
            counter.lock.lock();
            try {
                Order.reach("held");
                counter.count++;
                Order.await("interrupted");
                counter.count++;
            } finally {
                counter.lock.unlock();
            }
        });
        Thread patient = new Thread(() -> {
            try {
                counter.increment();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Thread impatient = new Thread(() -> {
            try {
                counter.increment();
                throw new AssertionError("not interrupted");
            } catch (InterruptedException expected) {
                Order.reach("interrupted");
            }
        });
        holder.start();
        Order.await("held");
        patient.start();
        impatient.start();
        impatient.interrupt();
        holder.join();
        patient.join();
        impatient.join();
        if (counter.count != 3) {
            throw new AssertionError(counter.count);
        }
        System.out.println("ok");
    }
}
