import turnstile.annotation.GuardedBy;
import turnstile.annotation.Requires;

/** The clients take the account's lock (section 3.1). */
final class AccountClientSide {
    static final class Account {
        @GuardedBy("this") private int balance;

        @Requires("this") int deposit(int x) {
            this.balance = this.balance + x; // without deposit: guard-not-held
            return x;
        }
    }

    public static void main(String[] arguments) {
        Account a = new Account();
        new Thread(() -> {
            synchronized (a) {
                a.deposit(10); // without synchronized 1: requires-not-held
            }
        }).start();
        new Thread(new Runnable() {
            @Override
            public void run() {
                synchronized (a) {
                    a.deposit(10); // without synchronized 2: requires-not-held
                }
            }
        }).start();
    }
}
