import java.util.concurrent.CountDownLatch;

/** Two accounts, two clerks. One kind of account keeps its balance under a lock, the other forgets it in one place. */
public final class Bank {
    /** Moves money between two accounts, a hundred times. */
    static final class Clerk implements Runnable {
        private final Account from;
        private final Account to;
        private final CountDownLatch start;

        Clerk(Account from, Account to, CountDownLatch start) {
            this.from = from;
            this.to = to;
            this.start = start;
        }

        @Override
        public void run() {
            start.countDown();
            try {
                start.await();
            } catch (InterruptedException e) {
                return;
            }
            for (int i = 0; i < 100; i++) {
                from.withdraw(1);
                to.deposit(1);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        boolean careful = arguments.length > 0 && arguments[0].equals("--careful");
        Account savings = careful ? new CarefulAccount(1000) : new Account(1000);
        Account checking = careful ? new CarefulAccount(1000) : new Account(1000);
        CountDownLatch start = new CountDownLatch(2);
        Thread monday = new Thread(new Clerk(savings, checking, start), "monday");
        Thread friday = new Thread(new Clerk(checking, savings, start), "friday");
        monday.start();
        friday.start();
        monday.join();
        friday.join();
        System.out.println("savings " + savings.balance() + ", checking " + checking.balance());
    }
}
