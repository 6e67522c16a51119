//! options: --discipline
import java.util.concurrent.locks.ReentrantLock;

/** Right, even for those who ask for locks only: all accesses after the constructor's hold the lock. */
public class LockDiscipline {
    static class Counter {
        private final ReentrantLock lock = new ReentrantLock();
        private int count = 7;

        int add(int amount) {
            lock.lock();
            try {
                count += amount;
                return count;
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Thread first = new Thread(() -> counter.add(1));
        Thread second = new Thread(() -> counter.add(2));
        first.start();
        second.start();
        first.join();
        second.join();
        if (counter.add(0) != 10) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
