import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: the flag is set and signalled under the lock, but the result is stored after unlock(). */
public class ConditionDataOutside {
    static class Job {
        final ReentrantLock lock = new ReentrantLock();
        final Condition finished = lock.newCondition();
        boolean done;
        int result;
    }

    public static void main(String[] arguments) throws Exception {
        Job job = new Job();
        Thread worker = new Thread(() -> {
            job.lock.lock();
            job.done = true;
            job.finished.signalAll();
            job.lock.unlock();
            job.result = 42;
            Order.reach("stored");
        });
        Thread reader = new Thread(() -> {
            job.lock.lock();
            while (!job.done) {
                job.finished.awaitUninterruptibly();
            }
            job.lock.unlock();
            Order.await("stored");
            if (job.result != 42) { //! race observed ConditionDataOutside$Job.result
                throw new AssertionError();
            }
        });
        reader.start();
        worker.start();
        worker.join();
        reader.join();
        System.out.println("ok");
    }
}
