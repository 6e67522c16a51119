import quiet.Order;

/** Wrong: two threads write a field of one object, without anything between them. */
public class InstanceField {
    static class Account {
        int balance;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account account = new Account();
        Thread first = new Thread(() -> {
            account.balance = 1; //! race observed InstanceField$Account.balance
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        account.balance = 2; //! race observed InstanceField$Account.balance
        first.join();
        System.out.println("ok");
    }
}
