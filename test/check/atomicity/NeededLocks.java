/** Methods that must be called with a lock are `l ? mover`: an error without it. */
final class NeededLocks {
    static final class Account {
        private int balance; /*# guarded_by this */

        void change(int amount) /*# requires this */ /*# atomicity this ? mover */ {
            balance += amount; // silent
        }

        int balance() /*# requires this */ /*# atomicity this ? mover */ {
            return balance; // silent
        }

        void changeTwice(int amount) /*# requires this */ /*# atomicity this ? atomic */ {
            change(amount); // silent
            change(amount);
        }

        void reset() /*# requires this */ /*# atomic */ {
            balance = 0; // silent: what it requires is held
        }

        synchronized void deposit(int amount) /*# atomic */ {
            change(amount); // silent
        }

        void unlocked(int amount) /*# atomic */ {
            change(amount); // expect: requires-not-held, not-atomic
        }

        void unguarded(int amount) /*# atomic */ {
            balance = amount; // expect: guard-not-held, not-atomic
        }
    }

    static void move(Account from, Account to, int amount)
            /*# requires from, to */ /*# atomicity from ? (to ? mover) */ {
        from.change(-amount); // silent
        to.change(amount);
    }

    static void transfer(Account from, Account to, int amount) /*# atomic */ {
        synchronized (from) { // silent
            synchronized (to) {
                move(from, to, amount);
            }
        }
    }

    static void transferHalf(Account from, Account to, int amount) /*# atomic */ {
        synchronized (from) { // expect: not-atomic
            move(from, to, amount); // expect: requires-not-held
        }
    }

    static void steps(Account from, Account to, int amount) /*# atomic */ {
        from.deposit(-amount); // expect: not-atomic; path
        to.deposit(amount); // path
    }
}
