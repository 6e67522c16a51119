import quiet.Order;

/** Wrong: private fields of nested classes, accessed by the outer class and by a sibling. */
public class NestedPrivateField {
    private static class Account {
        private int balance;
    }

    private static class Clerk implements Runnable {
        private final Account account;

        private Clerk(Account account) {
            this.account = account;
        }

        @Override
        public void run() {
            account.balance += 10; //! race observed NestedPrivateField$Account.balance
            Order.reach("paid");
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account account = new Account();
        Thread clerk = new Thread(new Clerk(account));
        clerk.start();
        Order.await("paid");
        account.balance -= 5; //! race observed NestedPrivateField$Account.balance
        clerk.join();
        System.out.println("ok");
    }
}
