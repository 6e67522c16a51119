import java.util.concurrent.CountDownLatch;

/**
 * Two clerks move money between two accounts, one this way and one that way, so nothing is gained or lost. That is so
 * with {@code --careful}; without it, the accounts forget their lock in one place.
 */
public final class Bank {
    private static final int TRANSFERS = 10_000;

    static final class Clerk implements Runnable {
        private final Account from;
        private final Account to;
        private final CountDownLatch opening;

        Clerk(Account from, Account to, CountDownLatch opening) {
            this.from = from;
            this.to = to;
            this.opening = opening;
        }

        @Override
        public void run() {
            opening.countDown();
            try {
                opening.await();
            } catch (InterruptedException e) {
                return;
            }
            for (int i = 0; i < TRANSFERS; i++) {
                from.withdraw(1);
                to.deposit(1);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        boolean careful = arguments.length > 0 && arguments[0].equals("--careful");
        Account savings = careful ? new CarefulAccount(1000) : new Account(1000);
        Account checking = careful ? new CarefulAccount(1000) : new Account(1000);
        System.out.println("in the morning: " + (savings.balance() + checking.balance()));

        CountDownLatch opening = new CountDownLatch(2);
        Thread alice = new Thread(new Clerk(savings, checking, opening), "Alice");
        Thread bob = new Thread(new Clerk(checking, savings, opening), "Bob");
        alice.start();
        bob.start();
        alice.join();
        bob.join();
        System.out.println("in the evening: " + (savings.balance() + checking.balance()));
    }
}
