import quiet.Order;

/** Two fields race; only the one that is watched is looked at. */
public class WatchOne {
    //! options: --watch WatchOne$Account.balance
    static class Account {
        int balance;
        int number;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account account = new Account();
        Thread first = new Thread(() -> {
            account.balance = 1; //! race observed WatchOne$Account.balance
            account.number = 1;
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        account.balance = 2; //! race observed WatchOne$Account.balance
        account.number = 2;
        first.join();
        System.out.println("ok");
    }
}
