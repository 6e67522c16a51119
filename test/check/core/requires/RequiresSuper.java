import net.jcip.annotations.GuardedBy;

/** Calls of super, inherited methods, and clauses that are inherited with the method. */
class RequiresSuper {
    @GuardedBy("this") protected int value;
    protected final Object lock = new Object();

    @GuardedBy("this")
    protected void change(int value) {
        this.value = value; // silent
    }

    @GuardedBy("lock")
    protected void flush() {
    }

    static class Synchronizing extends RequiresSuper {
        synchronized void set(int value) {
            super.change(value); // silent
            change(value); // silent
            this.value = value; // silent
        }

        void setWithout(int value) {
            super.change(value); // expect: requires-not-held
            change(value); // expect: requires-not-held
            this.value = value; // expect: guard-not-held
            flush(); // expect: requires-not-held
            synchronized (lock) {
                flush(); // silent
                super.flush(); // silent
            }
        }
    }

    static class Overriding extends RequiresSuper {
        @Override
        protected void change(int value) {
            super.change(value + 1); // silent: it has the clause of what it overrides
            this.value++; // silent
        }

        @Override
        @GuardedBy("lock")
        protected void flush() {
            super.flush(); // silent
            super.change(1); // expect: requires-not-held
        }
    }

    static void callers(Overriding overriding, RequiresSuper base) {
        overriding.change(1); // expect: requires-not-held
        base.change(1); // expect: requires-not-held
        synchronized (overriding) {
            overriding.change(1); // silent
            overriding.flush(); // expect: requires-not-held
        }
        synchronized (base) {
            base.change(1); // silent
        }
        synchronized (overriding.lock) {
            overriding.flush(); // silent
        }
    }
}
