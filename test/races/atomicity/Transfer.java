import quiet.Threads;

/** Wrong: each of the two blocks inside is atomic, the one around them is not. */
public class Transfer {
    static class Account {
        private int balance = 10;

        public synchronized void withdraw(int amount) {
            balance -= amount;
        }

        public synchronized void deposit(int amount) {
            balance += amount; //! atomicity predicted Transfer.transfer
        }
    }

    public static void transfer(Account from, Account to, int amount) {
        from.withdraw(amount);
        to.deposit(amount);
    }

    public static void main(String[] arguments) {
        Account left = new Account();
        Account right = new Account();
        Threads.inTurn(() -> transfer(left, right, 1), () -> transfer(right, left, 2));
        System.out.println(left.balance == 11 ? "ok" : "lost");
    }
}
