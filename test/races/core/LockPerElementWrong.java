import quiet.Order;

/** Wrong: a transfer holds the lock of the account that pays, but not of the one that is paid. */
public class LockPerElementWrong {
    static class Account {
        int balance = 100;

        synchronized void payTo(Account other, int amount) {
            balance -= amount; //! race observed LockPerElementWrong$Account.balance
            other.balance += amount; //! race observed LockPerElementWrong$Account.balance
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account one = new Account();
        Account two = new Account();
        Thread first = new Thread(() -> {
            one.payTo(two, 5);
            Order.reach("paid");
        });
        first.start();
        Order.await("paid");
        // The lock of `two` was never held by the other thread, so its access to two.balance is not ordered.
        two.payTo(new Account(), 3);
        first.join();
        System.out.println("ok");
    }
}
