import turnstile.annotation.GuardedBy;
import turnstile.annotation.Requires;

/** A new thread has none of the locks of the one that started it (sections 2.1 and 3, fork). */
final class AccountFork {
    static final class Account {
        @GuardedBy("this") private int balance;

        @Requires("this") int deposit(int x) {
            this.balance = this.balance + x;
            return x;
        }
    }

    public static void main(String[] arguments) {
        Account a = new Account();
        synchronized (a) {
            a.deposit(5); // silent
            new Thread(() -> a.deposit(10)).start(); // expect: requires-not-held
            new Thread(() -> {
                a.deposit(10); // expect: requires-not-held
                synchronized (a) {
                    a.deposit(10); // silent
                }
            }).start();
        }
    }
}
