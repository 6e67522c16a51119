/** long and double are read and written in two parts, unless a lock or volatile keeps these together. */
final class WideFields {
    private long plain;
    private double real;
    private int narrow;
    private volatile long shared;
    private volatile double sharedReal;
    private long guarded; /*# guarded_by this */
    private long published; /*# write_guarded_by this */
    private final long fixed = System.nanoTime();

    long plain() /*# atomic */ {
        return plain; // expect: not-atomic
    }

    void setPlain(long value) /*# atomic */ {
        plain = value; // expect: not-atomic
    }

    void setReal(double value) /*# atomic */ {
        real = value; // expect: not-atomic
    }

    int narrow() /*# atomic */ {
        return narrow; // silent
    }

    void setNarrow(int value) /*# atomic */ {
        narrow = value; // silent
    }

    long shared() /*# atomic */ {
        return shared; // silent
    }

    void setShared(long value) /*# atomic */ {
        shared = value; // silent
    }

    void setSharedReal(double value) /*# atomic */ {
        sharedReal = value; // silent
    }

    synchronized void add(long amount) /*# atomic */ {
        guarded += amount; // silent
    }

    synchronized void publish(long value) {
        published = value; // silent
    }

    long published() /*# atomic */ {
        return published; // expect: not-atomic
    }

    synchronized long publishedLocked() /*# atomic */ {
        return published; // silent
    }

    long fixed() /*# atomicity const */ {
        return fixed; // silent
    }
}
