/** A guard is a final expression, and {@code this} in it is the object whose field it is (section 3). */
final class AccountLocks {
    static final class Account {
        private final Object fixed = new Object();
        private Object changing = new Object();
        private int balance /*# guarded_by fixed */;
        private int interest /*# guarded_by changing */; // expect: lock-not-final

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
