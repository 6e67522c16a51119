import turnstile.annotation.GuardedBy;

/** The account takes its own lock (section 3.1). */
final class AccountSynchronized {
    static final class Account {
        @GuardedBy("this") private int balance;

        int deposit(int x) {
            synchronized (this) {
                this.balance = this.balance + x; // without synchronized 1: guard-not-held
            }
            return x;
        }
    }

    public static void main(String[] arguments) {
        Account a = new Account();
        new Thread(() -> a.deposit(10)).start();
        new Thread(() -> a.deposit(10)).start();
    }
}
