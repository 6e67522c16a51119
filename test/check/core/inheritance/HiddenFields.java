import net.jcip.annotations.GuardedBy;

/** A field of the same name in a subclass is another field, and another lock. */
class HiddenFields {
    protected final Object lock = new Object();
    @GuardedBy("lock") protected int value;
    @GuardedBy("this") protected int count;

    static class Hiding extends HiddenFields {
        protected final Object lock = new Object();
        @GuardedBy("lock") protected int mine;
        protected final int count = 3; // not the guarded one

        void use() {
            synchronized (lock) {
                mine++; // silent
                value++; // expect: guard-not-held; Hiding.lock is held, HiddenFields.lock is needed
            }
            synchronized (super.lock) {
                value++; // silent
                mine++; // expect: guard-not-held
            }
            synchronized (((HiddenFields) this).lock) {
                value++; // silent
            }
            int copy = count; // silent
            copy = super.count; // expect: guard-not-held
        }
    }

    static void use(Hiding hiding) {
        HiddenFields base = hiding;
        synchronized (base.lock) {
            base.value++; // silent
            hiding.value++; // silent: there is one value
            hiding.mine++; // expect: guard-not-held
        }
        synchronized (hiding.lock) {
            hiding.mine++; // silent
            hiding.value++; // expect: guard-not-held
        }
    }
}
