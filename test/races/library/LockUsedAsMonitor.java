import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: synchronized (lock) takes the monitor of the ReentrantLock object, not the lock itself. */
public class LockUsedAsMonitor {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread first = new Thread(() -> {
            account.lock.lock();
            account.balance += 10;
            account.lock.unlock();
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            synchronized (account.lock) {
                account.balance += 5; //! race observed LockUsedAsMonitor$Account.balance
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
