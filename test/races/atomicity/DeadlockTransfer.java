import quiet.Threads;

/** Wrong: from left to right and from right to left at the same time. Both wait at the same line. */
public class DeadlockTransfer {
    static class Account {
        private int balance = 10;
    }

    public static void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            synchronized (to) { //! deadlock 2
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] arguments) {
        Account left = new Account();
        Account right = new Account();
        Threads.inTurn(() -> transfer(left, right, 1), () -> transfer(right, left, 2));
        System.out.println(left.balance == 11 ? "ok" : "lost");
    }
}
