import java.util.concurrent.locks.StampedLock;

/** Right: a read lock becomes the write lock by tryConvertToWriteLock(), or is given back for it. */
public class StampedConversion {
    static class Account {
        private final StampedLock lock = new StampedLock();
        private int balance;
        private int full;

        void add() {
            long stamp = lock.readLock();
            try {
                while (balance < 50) {
                    long converted = lock.tryConvertToWriteLock(stamp);
                    if (converted != 0) {
                        stamp = converted;
                        balance++;
                        return;
                    }
                    lock.unlockRead(stamp);
                    stamp = lock.writeLock();
                }
            } finally {
                lock.unlock(stamp);
            }
            stamp = lock.writeLock();
            full++;
            stamp = lock.tryConvertToReadLock(stamp);
            int seen = balance;
            lock.unlockRead(stamp);
            if (seen != 50) {
                throw new AssertionError(seen);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Runnable work = () -> {
            for (int i = 0; i < 60; i++) {
                account.add();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (account.balance != 50 || account.full != 70) {
            throw new AssertionError(account.balance + " " + account.full);
        }
        System.out.println("ok");
    }
}
