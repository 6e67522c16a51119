import net.jcip.annotations.GuardedBy;

/** An overriding method may not require what callers of the overridden one do not know of. */
class OverrideClasses {
    final Object lock = new Object();
    @GuardedBy("this") int value;

    void open() { value = 0; } // expect: guard-not-held

    @GuardedBy("this") void change() { value++; }

    @GuardedBy("lock") void flush() { }

    void transfer(Object from, Object to) /*# requires from */ { }

    void locked() /*# requires this, lock */ { value++; }

    static class Same extends OverrideClasses {
        @Override synchronized void open() { value = 1; } // silent: taking it is no demand

        @Override @GuardedBy("this") void change() { value += 2; } // silent

        @Override @GuardedBy("this.lock") void flush() { } // silent: the same lock, written otherwise

        /* Parameters go by place, not by name. */
        @Override void transfer(Object source, Object target) /*# requires source */ { } // silent
    }

    static class Stronger extends OverrideClasses {
        @Override @GuardedBy("this") void open() { value = 2; } // expect: override-mismatch

        @Override @GuardedBy("lock") void change() { } // expect: override-mismatch

        @Override @GuardedBy("this") void flush() { value = 3; } // expect: override-mismatch

        @Override void transfer(Object from, Object to) /*# requires to */ { } // expect: override-mismatch
    }

    static class More extends OverrideClasses {
        @Override void change() /*# requires this, lock */ { value = 4; } // expect: override-mismatch

        @Override void transfer(Object from, Object to) /*# requires from, to */ { } // expect: override-mismatch

        @Override @GuardedBy("OverrideClasses.class") void flush() { } // expect: override-mismatch
    }

    static class Weaker extends OverrideClasses {
        @Override @GuardedBy("this") void locked() { value = 5; } // silent: it asks for less

        @Override void change() { value = 6; } // silent: has the clause of what it overrides
    }

    static class Further extends Same {
        @Override void open() { super.open(); } // silent

        @Override @GuardedBy("lock") void change() { } // expect: override-mismatch; what it overrides two classes up
    }

    static class NotOverriding extends OverrideClasses {
        @GuardedBy("this") void open(int depth) { value = depth; } // silent: overloads

        @GuardedBy("this") private void inner() { value = 7; } // silent
    }

    private void hidden() { }

    static class Hiding extends OverrideClasses {
        @GuardedBy("this") void hidden() { value = 8; } // silent: a private method is not overridden
    }
}
