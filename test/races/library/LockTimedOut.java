import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: the timed tryLock() of the second thread runs out, and it writes all the same. */
public class LockTimedOut {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread first = new Thread(() -> {
            account.lock.lock();
            account.balance = 10;
            Order.reach("first wrote");
            Order.await("second wrote");
            account.lock.unlock();
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            boolean locked = false;
            try {
                locked = account.lock.tryLock(1, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            account.balance = 5; //! race observed LockTimedOut$Account.balance
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
