import java.util.BitSet;

/** What somebody says of a library's methods, in DeclaredLibrary.locks, counts; so does what is said of a native one. */
class DeclaredLibrary {
    private final BitSet bits = new BitSet();

    int one() /*# atomic */ {
        return bits.length(); // silent: declared atomic
    }

    int two() /*# atomic */ {
        return bits.length() // expect: not-atomic
                + bits.length(); // path
    }

    int size() /*# atomic */ {
        return bits.cardinality(); // expect: not-atomic
    }

    native void step() /*# atomic */;

    native void free() /*# atomicity mover */;

    void steps() /*# atomic */ {
        step(); // expect: not-atomic
        step(); // path
    }

    void stepAndMore() /*# atomic */ {
        free(); // silent
        step();
        free();
    }
}
