import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** Right: a lock of one's own, built on AbstractQueuedSynchronizer. */
public class MutexOnSynchronizer {
    static class Mutex {
        private static class Sync extends AbstractQueuedSynchronizer {
            @Override
            protected boolean tryAcquire(int ignored) {
                return compareAndSetState(0, 1);
            }

            @Override
            protected boolean tryRelease(int ignored) {
                setState(0);
                return true;
            }
        }

        private final Sync sync = new Sync();

        void lock() {
            sync.acquire(1);
        }

        void unlock() {
            sync.release(1);
        }
    }

    static class Account {
        final Mutex mutex = new Mutex();
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        account.balance = 1;
        Runnable work = () -> {
            for (int i = 0; i < 300; i++) {
                account.mutex.lock();
                account.balance++;
                account.mutex.unlock();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (account.balance != 601) {
            throw new AssertionError(account.balance);
        }
        System.out.println("ok");
    }
}
