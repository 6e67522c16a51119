import quiet.Order;

/**
 * Wrong: two threads write a field without a lock. In this run a lock that has nothing to do with the field happens to
 * be handed over between the two writes; in another run it may be the other way round.
 */
public class InstanceFieldPredicted {
    static class Account {
        int balance;
    }

    private static final Object LOCK = new Object();

    static void somethingElse() {
        synchronized (LOCK) {
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account account = new Account();
        account.balance = 100;
        Thread first = new Thread(() -> {
            account.balance = 1; //! race predicted InstanceFieldPredicted$Account.balance
            somethingElse();
            Order.reach("written");
        });
        Thread second = new Thread(() -> {
            Order.await("written");
            somethingElse();
            account.balance = 2; //! race predicted InstanceFieldPredicted$Account.balance
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
