/** A call that may have several targets is as atomic as the worst of them. */
final class VirtualCalls {
    interface Source {
        int next();
    }

    static final class Fixed implements Source {
        private final int value;

        Fixed(int value) {
            this.value = value;
        }

        @Override
        public int next() {
            return value;
        }
    }

    static final class Shared implements Source {
        private volatile int value;

        @Override
        public int next() {
            return value;
        }

        void set(int value) {
            this.value = value;
        }
    }

    static final class Guarded implements Source {
        private int value; /*# guarded_by this */

        @Override
        public synchronized int next() {
            return ++value;
        }
    }

    abstract static class Step {
        abstract int take(Guarded from);
    }

    static final class OneStep extends Step {
        @Override
        int take(Guarded from) {
            return from.next();
        }
    }

    static final class TwoSteps extends Step {
        @Override
        int take(Guarded from) {
            return from.next() + from.next();
        }
    }

    static int once(Source source) /*# atomic */ {
        return source.next(); // silent
    }

    static int twice(Source source) /*# atomic */ {
        return source.next() + source.next(); // expect: not-atomic
    }

    static int twiceFixed(Fixed source) /*# atomicity const */ {
        return source.next() + source.next(); // silent: the type has one target
    }

    static int twiceLocked(Guarded source) /*# atomic */ {
        synchronized (source) { // silent
            return source.next() + source.next();
        }
    }

    static int worst(Step step, Guarded from) /*# atomic */ {
        return step.take(from); // expect: not-atomic
    }

    static int known(OneStep step, Guarded from) /*# atomic */ {
        return step.take(from); // silent
    }

    static int worstLocked(Step step, Guarded from) /*# atomic */ {
        synchronized (from) { // silent: with the lock, both are movers
            return step.take(from);
        }
    }
}
