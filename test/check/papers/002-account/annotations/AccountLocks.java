import turnstile.annotation.GuardedBy;

/** A guard is a final expression, and {@code this} in it is the object whose field it is (section 3). */
final class AccountLocks {
    static final class Account {
        private final Object fixed = new Object();
        private Object changing = new Object();
        @GuardedBy("fixed") private int balance;
        @GuardedBy("changing") private int interest;
        // expect-class: lock-not-final interest

        void replace() {
            changing = new Object();
        }

        void transfer(Account other, int amount) {
            synchronized (fixed) {
                this.balance -= amount; // silent
                other.balance += amount; // expect: guard-not-held
            }
            synchronized (other.fixed) {
                other.balance += amount; // silent
                this.balance -= amount; // expect: guard-not-held
            }
        }

        void earn() {
            synchronized (changing) {
                interest++;
            }
        }
    }
}
