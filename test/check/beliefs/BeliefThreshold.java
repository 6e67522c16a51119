/** Two thirds of the weight, where a write counts as two reads, and not one method alone. */
class BeliefThreshold {
    /** Held: a write and two reads, 4. Bare: two reads, 2. */
    static class Exactly {
        private int value;

        synchronized void set(int to) {
            value = to;
        }

        synchronized int one() {
            return value;
        }

        synchronized int two() {
            return value + 1;
        }

        int three() {
            return value + 2; // expect: guard-not-held
        }

        int four() {
            return value + 3; // expect: guard-not-held
        }
    }

    /** Held 4, bare 3. */
    static class JustBelow {
        private int value;

        synchronized void set(int to) {
            value = to;
        }

        synchronized int one() {
            return value;
        }

        synchronized int two() {
            return value + 1;
        }

        int three() {
            return value + 2; // silent
        }

        int four() {
            return value + 3; // silent
        }

        int five() {
            return value + 4; // silent
        }
    }

    /** Held: two writes, 4. Bare: one write, 2. */
    static class WritesExactly {
        private int value;

        synchronized void one() {
            value = 1;
        }

        synchronized void two() {
            value = 2;
        }

        void three() {
            value = 3; // expect: guard-not-held
        }
    }

    /** Held 4, bare: a write and a read, 3. */
    static class WritesJustBelow {
        private int value;

        synchronized void one() {
            value = 1;
        }

        synchronized void two() {
            value = 2;
        }

        void three() {
            value = 3; // silent
        }

        int four() {
            return value; // silent
        }
    }

    /** Held: a write and a read, 3: too little, whatever the others do. */
    static class TooFew {
        private int value;

        synchronized void set(int to) {
            value = to;
        }

        synchronized int get() {
            return value;
        }

        int bare() {
            return value; // silent
        }
    }

    /** Held: a write and two reads, 4: just enough. */
    static class JustEnough {
        private int value;

        synchronized void set(int to) {
            value = to;
        }

        synchronized int get() {
            return value;
        }

        synchronized boolean isSet() {
            return value != 0;
        }

        int bare() {
            return value; // expect: guard-not-held
        }
    }

    /** Only reads hold it: what the lock is for is something else. */
    static class OnlyReads {
        private int value;

        synchronized int one() {
            return value;
        }

        synchronized int two() {
            return value + 1;
        }

        synchronized int three() {
            return value + 2;
        }

        synchronized int four() {
            return value + 3;
        }

        void set(int to) {
            value = to; // silent
        }
    }

    /** One synchronized method with all the accesses: the others never heard of the lock. */
    static class OneMethod {
        private int value;

        synchronized void fill() {
            value = 1;
            value = value * 2;
            value = value + 3;
        }

        int get() {
            return value; // silent
        }
    }

    /** One method, but it takes the lock just for this. */
    static class OneBlock {
        private final Object lock = new Object();
        private int value;

        void fill() {
            synchronized (lock) {
                value = 1;
                value = value * 2;
            }
        }

        int get() {
            return value; // expect: guard-not-held
        }
    }

    /** Two methods hold it often, three do not. */
    static class MoreMethodsWithout {
        private int value;

        synchronized void one() {
            value = 1;
            value = value * 2;
            value = value + 3;
        }

        synchronized void two() {
            value = 2;
            value = value * 3;
        }

        int three() {
            return value; // silent
        }

        int four() {
            return value + 1; // silent
        }

        int five() {
            return value + 2; // silent
        }
    }

    /** As many methods with as without. */
    static class AsManyMethods {
        private int value;

        synchronized void one() {
            value = 1;
            value = value * 2;
        }

        synchronized void two() {
            value = 2;
            value = value * 3;
        }

        int three() {
            return value; // expect: guard-not-held
        }

        int four() {
            return value + 1; // expect: guard-not-held
        }
    }
}
