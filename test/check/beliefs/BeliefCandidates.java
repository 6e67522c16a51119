/** Several locks: the one that is held most is meant. */
class BeliefCandidates {
    /** Always `this`, sometimes `extra` too. */
    static class Both {
        private final Object extra = new Object();
        private int value;

        synchronized void one() {
            synchronized (extra) {
                value = 1;
            }
        }

        synchronized void two() {
            value = 2;
        }

        synchronized int three() {
            return value;
        }

        int four() {
            synchronized (extra) {
                return value; // expect: guard-not-held; `extra` is not the one
            }
        }
    }

    /** Each access holds one of two locks, neither is held at two thirds. */
    static class Divided {
        private final Object left = new Object();
        private final Object right = new Object();
        private int value;

        void one() {
            synchronized (left) {
                value = 1; // silent
            }
        }

        void two() {
            synchronized (left) {
                value = 2; // silent
            }
        }

        void three() {
            synchronized (right) {
                value = 3; // silent
            }
        }

        void four() {
            synchronized (right) {
                value = 4; // silent
            }
        }
    }

    /** A lock for each field. */
    static class Separate {
        private final Object headLock = new Object();
        private final Object tailLock = new Object();
        private int head;
        private int tail;

        void put() {
            synchronized (tailLock) {
                tail++;
            }
        }

        void unput() {
            synchronized (tailLock) {
                tail--;
            }
        }

        void take() {
            synchronized (headLock) {
                head++;
            }
        }

        void untake() {
            synchronized (headLock) {
                head--;
            }
        }

        int size() {
            synchronized (headLock) {
                return tail // expect: guard-not-held
                        - head;
            }
        }

        boolean isEmpty() {
            synchronized (tailLock) {
                return head // expect: guard-not-held
                        == tail;
            }
        }

        int both() {
            synchronized (headLock) {
                synchronized (tailLock) {
                    return tail - head; // silent
                }
            }
        }
    }

    /** Equal counts: `this` is simpler than a field of it, and nothing is broken. */
    static class Equal {
        private final Object inner = new Object();
        private int value;

        synchronized void one() {
            synchronized (inner) {
                value++; // silent
            }
        }

        synchronized void two() {
            synchronized (inner) {
                value--; // silent
            }
        }
    }

    /** The lock of one object, the field of another. */
    static class Pair {
        private int amount;

        synchronized void add(int by) {
            amount += by;
        }

        synchronized void take(int by) {
            amount -= by;
        }

        synchronized void moveTo(Pair other, int by) {
            amount -= by;
            other.amount += by; // expect: guard-not-held
        }

        void safeMoveTo(Pair other, int by) {
            synchronized (this) {
                amount -= by;
            }
            synchronized (other) {
                other.amount += by; // silent
            }
        }
    }

    /** A lock that is made anew each time guards nothing. */
    static class Fresh {
        private int value;

        void one() {
            synchronized (new Object()) {
                value = 1; // silent
            }
        }

        void two() {
            Object lock = new Object();
            synchronized (lock) {
                value = 2; // silent
            }
        }

        int three() {
            return value; // silent
        }
    }

    /** The lock of what the object belongs to. */
    static class Owner {
        static class Part {
            private final Owner owner;
            private int state;

            Part(Owner owner) {
                this.owner = owner;
            }

            void on() {
                synchronized (owner) {
                    state = 1;
                }
            }

            void off() {
                synchronized (owner) {
                    state = 0;
                }
            }

            void toggle() {
                synchronized (owner) {
                    state = 1 - state;
                }
            }

            boolean isOn() {
                return state == 1; // expect: guard-not-held
            }

            synchronized void spoil() {
                state = 7; // expect: guard-not-held; the part's own lock
            }
        }
    }
}
