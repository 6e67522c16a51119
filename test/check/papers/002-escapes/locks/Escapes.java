/** no_warn for a race that does no harm, holds where the lock is known to be held (section 6.1). */
final class Escapes {
    static final class Cell {
        int a;
        int hits;
    }

    private final Cell f = new Cell();

    private static void held(Object lock) {
    }

    void warned(int e) {
        f.a = e; // expect: guard-not-held
    }

    void benign(int e) {
        f.a = e; // silent
    }

    void counted() {
        f.hits++; // silent
    }

    void believed(int e, boolean locked) {
        if (locked) {
            held(f);
            f.a = e; // silent
            f.a++; // silent
        }
        f.a = e; // expect: guard-not-held
    }
}
