import net.jcip.annotations.GuardedBy;

/** A method's guard may name its parameters, and what they lead to. */
final class GuardParameter {
    static final class Account {
        final Object lock = new Object();
        @GuardedBy("this") int balance;
        @GuardedBy("lock") int limit;
    }

    @GuardedBy("account")
    static void deposit(Account account, int amount) {
        account.balance += amount; // silent
        account.limit++; // expect: guard-not-held
    }

    @GuardedBy("account.lock")
    static int limit(Account account) {
        account.balance = 0; // expect: guard-not-held
        return account.limit; // silent
    }

    @GuardedBy("second")
    void secondOne(Account first, Account second) {
        first.balance = 1; // expect: guard-not-held
        second.balance = 1; // silent
    }

    void callers(Account one, Account two) {
        deposit(one, 1); // expect: requires-not-held
        synchronized (one) {
            deposit(one, 1); // silent
            deposit(two, 1); // expect: requires-not-held
            secondOne(two, one); // silent
            secondOne(one, two); // expect: requires-not-held
        }
        synchronized (one.lock) {
            limit(one); // silent
            limit(two); // expect: requires-not-held
            deposit(one, 2); // expect: requires-not-held
        }
    }

    @GuardedBy("account")
    void replaced(Account account, Account other) {
        account.balance++; // silent
        account = other;
        account.balance++; // expect: guard-not-held; the clause is about what the caller passed
    }
}
