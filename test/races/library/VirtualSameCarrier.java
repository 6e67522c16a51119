//! needs: 21
import quiet.Order;

/** Wrong: the second virtual thread starts when the first is over, maybe on its carrier: that orders nothing. */
public class VirtualSameCarrier {
    static class Account {
        int balance;
    }

    public static void main(String[] arguments) throws Exception {
        Account account = new Account();
        Thread first = Thread.startVirtualThread(() -> account.balance = 1);
        Order.awaitEnd(first);
        Thread second = Thread.startVirtualThread(() -> {
            account.balance = 2; //! race observed VirtualSameCarrier$Account.balance
        });
        second.join();
        first.join();
        System.out.println("ok");
    }
}
