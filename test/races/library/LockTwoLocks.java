import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/**
 * Wrong: each thread guards the field with a lock of its own. In this run a third lock, which
 * guards something else, happens to be handed over from one to the other in between.
 */
public class LockTwoLocks {
    static class Account {
        final ReentrantLock left = new ReentrantLock();
        final ReentrantLock right = new ReentrantLock();
        final ReentrantLock log = new ReentrantLock();
        int balance;
        int lines;

        void log() {
            log.lock();
            try {
                lines++;
            } finally {
                log.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        account.balance = 1;
        account.log();
        Thread first = new Thread(() -> {
            account.left.lock();
            account.balance += 10;
            account.left.unlock();
            account.log();
            Order.reach("first logged");
        });
        Thread second = new Thread(() -> {
            Order.await("first logged");
            account.log();
            account.right.lock();
            account.balance += 5; //! race predicted LockTwoLocks$Account.balance
            account.right.unlock();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
