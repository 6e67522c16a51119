import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: the first thread writes the field once more after it has given the lock back. */
public class LockReleasedEarly {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread first = new Thread(() -> {
            account.lock.lock();
            account.balance = 1;
            account.lock.unlock();
            account.balance = 2; //! race observed LockReleasedEarly$Account.balance
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            account.lock.lock();
            account.balance = 3;
            account.lock.unlock();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
