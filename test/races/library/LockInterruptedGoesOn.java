import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: a thread whose lockInterruptibly() was interrupted does not hold the lock, but writes. */
public class LockInterruptedGoesOn {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread holder = new Thread(() -> {
            account.lock.lock();
            account.balance = 10;
            Order.reach("holder wrote");
            Order.await("other wrote");
            account.lock.unlock();
        });
        Thread other = new Thread(() -> {
            Order.await("holder wrote");
            try {
                account.lock.lockInterruptibly();
                throw new AssertionError("not interrupted");
            } catch (InterruptedException ignored) {
                account.balance = 5; //! race observed LockInterruptedGoesOn$Account.balance
            }
            Order.reach("other wrote");
        });
        holder.start();
        other.start();
        other.interrupt();
        holder.join();
        other.join();
        System.out.println("ok");
    }
}
