import java.util.concurrent.locks.ReentrantLock;

/** Right: the counter is touched only where tryLock() said true. */
public class LockTryLock {
    static final ReentrantLock lock = new ReentrantLock();
    static int count;

    static boolean increment() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            count++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Runnable work = () -> {
            for (int done = 0; done < 200;) {
                if (increment()) {
                    done++;
                } else {
                    Thread.yield();
                }
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (count != 400) {
            throw new AssertionError(count);
        }
        System.out.println("ok");
    }
}
