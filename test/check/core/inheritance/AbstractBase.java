import net.jcip.annotations.GuardedBy;

/** A template method holds the lock around what subclasses fill in. */
abstract class AbstractBase {
    @GuardedBy("this") protected int state;

    final synchronized void run() {
        state = 1; // silent
        step(); // silent
        checked(); // silent
    }

    protected abstract void step();

    @GuardedBy("this")
    protected void checked() {
    }

    static class Trusting extends AbstractBase {
        @Override
        protected void step() {
            state++; // expect: guard-not-held; nothing says that step is called with the lock
        }

        @Override
        protected void checked() {
            state++; // silent
        }
    }

    static class Careful extends AbstractBase {
        @Override
        protected void step() {
            synchronized (this) {
                state++; // silent
            }
        }

        @Override
        protected synchronized void checked() {
            state++; // silent
            super.checked(); // silent
        }
    }

    static void outside(AbstractBase base) {
        base.step(); // silent
        base.checked(); // expect: requires-not-held
        base.run(); // silent
        base.state = 0; // expect: guard-not-held
    }
}
