/** What somebody said counts more than what is believed. */
class BeliefSilenced {
    static class Told {
        private int count;
        /*# guarded_by other */
        private int declared;
        private final Object other = new Object();

        synchronized void one() {
            count = 1;
            declared = 1; // expect: guard-not-held; as declared, whatever is held mostly
        }

        synchronized void two() {
            count = 2;
            declared = 2; // expect: guard-not-held
        }

        synchronized int three() {
            return count;
        }

        int fine() {
            synchronized (other) {
                return declared; // silent
            }
        }

        int known() {
            return count; /*# no_warn guard-not-held */ // silent
        }

        int unknown() {
            return count; // expect: guard-not-held
        }
    }

    /** Everything that is needed is held somewhere above. */
    static class Asserted {
        private int count;

        synchronized void one() {
            count = 1;
        }

        synchronized void two() {
            count = 2;
        }

        int three() {
            assert Thread.holdsLock(this);
            return count;
        }

        /*# requires this */
        int four() {
            return count; // silent
        }

        int five() {
            return count; // expect: guard-not-held
        }
    }
}
