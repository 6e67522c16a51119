import quiet.Order;

/** Patterns of watched fields: those of one class, and one by its name in whatever class. */
public class WatchPattern {
    //! options: --watch WatchPattern$Account.* --watch *.chosen
    static class Account {
        int balance;
    }

    static class Other {
        int chosen;
        int ignored;
    }

    static void write(Account account, Other other) {
        account.balance++; //! race observed WatchPattern$Account.balance
        other.chosen++; //! race observed WatchPattern$Other.chosen
        other.ignored++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account account = new Account();
        Other other = new Other();
        Thread first = new Thread(() -> {
            write(account, other);
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        write(account, other);
        first.join();
        System.out.println("ok");
    }
}
