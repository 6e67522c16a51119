//! needs: 21
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: two virtual threads with a lock each; in this run they are in order by a third lock only. */
public class VirtualTwoLocks {
    static class Account {
        final ReentrantLock left = new ReentrantLock();
        final ReentrantLock right = new ReentrantLock();
        final ReentrantLock log = new ReentrantLock();
        int balance;
        int lines;

        void log() {
            log.lock();
            lines++;
            log.unlock();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        account.balance = 1;
        Thread first = Thread.startVirtualThread(() -> {
            account.left.lock();
            account.balance += 10;
            account.left.unlock();
            account.log();
            Order.reach("first logged");
        });
        Thread second = Thread.startVirtualThread(() -> {
            Order.await("first logged");
            account.log();
            account.right.lock();
            account.balance += 5; //! race predicted VirtualTwoLocks$Account.balance
            account.right.unlock();
        });
        first.join();
        second.join();
        System.out.println("ok");
    }
}
