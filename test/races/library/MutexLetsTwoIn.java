import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import quiet.Order;

/** Wrong: the synchronizer's tryAcquire() looks at the state and sets it in two steps. */
public class MutexLetsTwoIn {
    static class Mutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int ignored) {
            if (getState() != 0) {
                return false;
            }
            Order.reach(Thread.currentThread().getName() + " looked");
            Order.await("first looked");
            Order.await("second looked");
            setState(1);
            return true;
        }

        @Override
        protected boolean tryRelease(int ignored) {
            setState(0);
            return true;
        }
    }

    static class Account {
        final Mutex mutex = new Mutex();
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread first = new Thread(() -> {
            account.mutex.acquire(1);
            account.balance++;
            Order.reach("first wrote");
            Order.await("second wrote");
            account.mutex.release(1);
        }, "first");
        Thread second = new Thread(() -> {
            account.mutex.acquire(1);
            Order.await("first wrote");
            account.balance++; //! race observed MutexLetsTwoIn$Account.balance
            Order.reach("second wrote");
            account.mutex.release(1);
        }, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
