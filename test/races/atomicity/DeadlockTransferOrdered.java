import quiet.Threads;

/** Right: whichever way the money goes, the account with the smaller number is locked first. */
public class DeadlockTransferOrdered {
    static class Account {
        private final int number;
        private int balance = 10;

        Account(int number) {
            this.number = number;
        }
    }

    public static void transfer(Account from, Account to, int amount) {
        boolean up = from.number < to.number;
        synchronized (up ? from : to) {
            synchronized (up ? to : from) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] arguments) {
        Account left = new Account(1);
        Account right = new Account(2);
        Threads.together(() -> transfer(left, right, 1), () -> transfer(right, left, 2));
        System.out.println(left.balance == 11 ? "ok" : "lost");
    }
}
