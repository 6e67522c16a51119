// options: --defaults rfj
/** Synchronized methods make a class shared; its fields are then guarded by this unless they say otherwise (6.2). */
final class AccountDefaultGuard {
    static final class Account {
        private int balance = 0;

        synchronized int deposit(int x) {
            this.balance = this.balance + x; // silent
            return x;
        }

        int look() {
            return balance; // expect: guard-not-held
        }
    }

    public static void main(String[] arguments) {
        Account a = new Account();
        new Thread(() -> a.deposit(10)).start(); // silent
        new Thread(() -> a.deposit(10)).start(); // silent
    }
}
