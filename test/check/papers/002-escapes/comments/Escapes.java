/** no_warn for a race that does no harm, holds where the lock is known to be held (section 6.1). */
final class Escapes {
    static final class Cell {
        int a /*# guarded_by this */;
        int hits /*# guarded_by this */;
    }

    private final Cell f = new Cell();

    void warned(int e) {
        f.a = e; // expect: guard-not-held
    }

    void benign(int e) {
        f.a = e; /*# no_warn */ // silent
    }

    void counted() {
        f.hits++; /*# no_warn guard-not-held */ // silent
    }

    void believed(int e, boolean locked) {
        if (locked) {
            /*# holds f */
            f.a = e; // silent
            f.a++; // silent
        }
        f.a = e; // expect: guard-not-held
    }
}
