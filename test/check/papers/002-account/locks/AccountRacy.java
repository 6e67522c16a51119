/** Two deposits at the same time, and nobody takes the lock (section 2.2, with the guard of section 3). */
final class AccountRacy {
    static final class Account {
        private int balance;

        int deposit(int x) {
            this.balance = this.balance + x; // expect: guard-not-held
            return x;
        }
    }

    public static void main(String[] arguments) {
        Account a = new Account();
        new Thread(() -> a.deposit(10)).start();
        new Thread(() -> a.deposit(10)).start();
    }
}
