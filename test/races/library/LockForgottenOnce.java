import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/**
 * Wrong: one path writes the field without the lock. It takes the lock for something else later, so
 * that this run has the two accesses in order.
 */
public class LockForgottenOnce {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        int balance;
        int visits;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        account.balance = 1;
        Thread careless = new Thread(() -> {
            account.balance = 10; //! race predicted LockForgottenOnce$Account.balance
            account.lock.lock();
            account.visits++;
            account.lock.unlock();
            Order.reach("careless done");
        });
        Thread careful = new Thread(() -> {
            Order.await("careless done");
            account.lock.lock();
            account.visits++;
            account.balance = 20;
            account.lock.unlock();
        });
        careless.start();
        careful.start();
        careless.join();
        careful.join();
        System.out.println("ok");
    }
}
