/** Constructors that require locks, and calls of such methods on what is not yet known to others. */
class RequiresConstructors {
    final Object lock = new Object();
    static final Object REGISTRY = new Object();
    private static int made /*# guarded_by REGISTRY */;
    private int value /*# guarded_by this */;
    private int other /*# guarded_by lock */;

    RequiresConstructors() /*# requires REGISTRY */ {
        made++; // silent
        value = 1; // silent
        other = 1; // silent
    }

    RequiresConstructors(Object parent) /*# requires parent */ {
        value = 2; // silent
        made++; // expect: guard-not-held; a static field is not under construction
    }

    RequiresConstructors(int start) {
        value = start; // silent
        setValue(start); // silent: constructors hold the lock of what they construct
        setOther(start); // expect: requires-not-held; but not that of its parts
    }

    RequiresConstructors(long start) {
        this(); // expect: requires-not-held
        value = (int) start; // silent
    }

    final void setValue(int value) /*# requires this */ {
        this.value = value; // silent
    }

    final void setOther(int value) /*# requires lock */ {
        other = value; // silent
    }

    static void make(Object parent) {
        new RequiresConstructors(); // expect: requires-not-held
        new RequiresConstructors(parent); // expect: requires-not-held
        new RequiresConstructors(7); // silent
        synchronized (REGISTRY) {
            new RequiresConstructors(); // silent
            new RequiresConstructors(parent); // expect: requires-not-held
        }
        synchronized (parent) {
            new RequiresConstructors(parent); // silent
        }
    }

    static RequiresConstructors fresh() {
        RequiresConstructors made = new RequiresConstructors(1);
        made.value = 5; // silent: nobody else knows it
        made.setValue(6); // expect: requires-not-held; a promise is a promise
        return made;
    }

    static final class Sub extends RequiresConstructors {
        Sub() {
            super(); // expect: requires-not-held
        }

        Sub(int start) {
            super(start); // silent
        }

        Sub(Object parent, int ignored) /*# requires parent */ {
            super(parent); // silent
        }
    }
}
