import java.util.concurrent.locks.StampedLock;
import quiet.Order;

/** Wrong: both threads have the read lock, the conversion to the write lock fails, and both write. */
public class StampedConversionFailed {
    static class Account {
        final StampedLock lock = new StampedLock();
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread first = new Thread(() -> {
            long stamp = account.lock.readLock();
            Order.await("second has the lock");
            long converted = account.lock.tryConvertToWriteLock(stamp);
            account.balance = 1;
            Order.reach("first wrote");
            Order.await("second wrote");
            account.lock.unlock(converted != 0 ? converted : stamp);
        });
        Thread second = new Thread(() -> {
            long stamp = account.lock.readLock();
            Order.reach("second has the lock");
            Order.await("first wrote");
            long converted = account.lock.tryConvertToWriteLock(stamp);
            account.balance = 2; //! race observed StampedConversionFailed$Account.balance
            Order.reach("second wrote");
            account.lock.unlock(converted != 0 ? converted : stamp);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
