/** The lock of a called method, by its name in the caller; one without a name counts as not held. */
final class NamesOfLocks {
    static final class Account {
        private int balance; /*# guarded_by this */

        synchronized void deposit(int amount) /*# atomic */ {
            balance += amount; // silent
        }
    }

    static final class Branch {
        final Account main = new Account();
        private final Branch parent;

        Branch(Branch parent) {
            this.parent = parent;
        }

        Account main() /*# atomicity const */ {
            return main; // silent
        }

        void both() /*# atomic */ {
            main.deposit(1); // expect: not-atomic
            parent.main.deposit(1);
        }

        void lockedPath() /*# atomic */ {
            synchronized (parent.main) { // silent
                parent.main.deposit(1);
                parent.main().deposit(2);
            }
        }

        void upTwo() /*# atomic */ {
            parent.parent.main.deposit(1); // silent
        }
    }

    /** Its account may be another one each time. */
    static final class Teller /*# thread_local */ {
        private Account current = new Account();

        void choose(Account account) /*# atomicity mover */ {
            current = account; // silent
        }

        void one() /*# atomic */ {
            current.deposit(1); // silent
        }

        void two() /*# atomic */ {
            current.deposit(1); // expect: not-atomic
            current.deposit(1);
        }

        void locked() /*# atomic */ {
            Account account = current; // silent: it is the same account in the block
            synchronized (account) {
                account.deposit(1);
                account.deposit(1);
            }
        }

        void otherLocked() /*# atomic */ {
            Account account = current; // expect: not-atomic
            current = new Account();
            synchronized (account) {
                current.deposit(1);
                current.deposit(1);
            }
        }
    }

    static void same(Account account) /*# atomic */ {
        Account alias = account; // silent
        synchronized (alias) {
            account.deposit(1);
            alias.deposit(1);
        }
    }

    static void swapped(Account from, Account to) /*# atomic */ {
        pair(to, from); // expect: not-atomic
    }

    static void pair(Account first, Account second) {
        first.deposit(1);
        second.deposit(1);
        second.deposit(1);
    }
}
