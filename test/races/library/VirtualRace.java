//! needs: 21
import quiet.Order;

/** Wrong: two virtual threads change the same field, whichever platform thread carries them. */
public class VirtualRace {
    static class Account {
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread first = Thread.startVirtualThread(() -> {
            account.balance += 10;
            Order.reach("first wrote");
        });
        Thread second = Thread.startVirtualThread(() -> {
            Order.await("first wrote");
            account.balance += 5; //! race observed VirtualRace$Account.balance
        });
        first.join();
        second.join();
        System.out.println("ok");
    }
}
