import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: the second thread goes on although tryLock() said false; the first one holds the lock. */
public class LockTryLockIgnored {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread first = new Thread(() -> {
            account.lock.lock();
            account.balance += 10;
            Order.reach("first wrote");
            Order.await("second wrote");
            account.lock.unlock();
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            boolean locked = account.lock.tryLock();
            account.balance += 5; //! race observed LockTryLockIgnored$Account.balance
            Order.reach("second wrote");
            if (locked) {
                account.lock.unlock();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
