import java.util.concurrent.locks.ReentrantLock;

/** Right: after the inner unlock() the outer hold still guards the field. */
public class LockReentrant {
    static class Account {
        private final ReentrantLock lock = new ReentrantLock();
        int balance;
        int transfers;

        void deposit(int amount) {
            lock.lock();
            try {
                balance += amount;
            } finally {
                lock.unlock();
            }
        }

        void transfer(int amount) {
            lock.lock();
            try {
                deposit(amount);
                deposit(-amount);
                if (!lock.isHeldByCurrentThread() || lock.getHoldCount() != 1) {
                    throw new AssertionError("not held");
                }
                transfers++;
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Runnable work = () -> {
            for (int i = 0; i < 200; i++) {
                account.transfer(i);
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (account.balance != 0 || account.transfers != 400) {
            throw new AssertionError(account.balance + " " + account.transfers);
        }
        System.out.println("ok");
    }
}
