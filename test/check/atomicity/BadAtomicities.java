import turnstile.annotation.Atomicity;

/** Atomicities that mean nothing; they count as not said. */
final class BadAtomicities {
    private volatile int shared;

    int unknownWord() /*# atomicity sometimes */ { // expect: bad-annotation
        return shared + shared; // silent
    }

    int nothing() /*# atomicity */ { // expect: bad-annotation
        return shared + shared;
    }

    int unfinished() /*# atomicity this ? */ { // expect: bad-annotation
        return shared + shared;
    }

    int noLock() /*# atomicity ? mover : atomic */ { // expect: bad-annotation
        return shared + shared;
    }

    int unknownLock() /*# atomicity missing ? mover : atomic */ { // expect: bad-annotation
        return shared + shared;
    }

    int unknownInside() /*# atomicity this ? (missing ? mover) : atomic */ { // expect: bad-annotation
        return shared + shared;
    }

    static int staticThis() /*# atomicity this ? mover : atomic */ { // expect: bad-annotation
        return 1;
    }

    int twice() /*# atomic */ /*# atomicity cmpd */ { // expect: bad-annotation
        return shared; // silent
    }

    int notClosed() /*# atomicity this ? (mover : atomic */ { // expect: bad-annotation
        return shared + shared;
    }

    private int field /*# atomic */; // expect: bad-annotation

    @Atomicity("sometimes") int annotated() {
        return shared + shared; // expect: bad-annotation
    }

    @Atomicity("") int empty() {
        return shared + shared; // expect: bad-annotation
    }

    @Atomicity("missing ? mover") int annotatedLock() {
        return shared + shared; // expect: bad-annotation
    }

    void write(int value) /*# atomic */ {
        shared = value; // silent
    }

    int right() /*# atomic */ {
        return shared + shared; // expect: not-atomic
    }
}
