/** The special owners self, thisThread, readonly and unique, and parameters that are locks. */
final class SpecialOwners {
    static final class Cell/*#<owner>*/ {
        int value /*# guarded_by owner */;

        void change() /*# requires owner */ {
            value++; // silent
        }
    }

    static void self(Cell/*#<self>*/ cell) {
        cell.value++; // expect: guard-not-held
        cell.change(); // expect: requires-not-held
        synchronized (cell) {
            cell.value++; // silent
            cell.change(); // silent
        }
    }

    static void thisThread(Cell/*#<thisThread>*/ cell) {
        cell.value++; // silent
        cell.change(); // silent
    }

    static void readonly(Cell/*#<readonly>*/ cell) {
        int copy = cell.value; // silent
        cell.value = copy; // expect: readonly-written
    }

    static void byLock(Object lock, Cell/*#<lock>*/ cell) {
        cell.value++; // expect: guard-not-held
        synchronized (lock) {
            cell.value++; // silent
            cell.change(); // silent
        }
        synchronized (cell) {
            cell.change(); // expect: requires-not-held
        }
    }

    static void mixes(Cell/*#<self>*/ mine, Cell/*#<thisThread>*/ local) {
        self(mine); // silent
        thisThread(local); // silent
        self(local); // expect: owner-mismatch
        thisThread(mine); // expect: owner-mismatch
    }

    static void inferred(Object lock) {
        Cell first = new Cell();
        self(first); // silent
        first.value = 1; // expect: guard-not-held; its owner is itself
        Cell second = new Cell();
        second.value = 2; // silent
        second.change(); // silent: what nothing speaks of stays with the thread
        Cell third = new Cell();
        byLock(lock, third); // silent
        self(third); // expect: owner-mismatch
    }

    static void handOver(Cell/*#<unique>*/ cell) {
        cell.value = 1; // silent: the only reference
    }

    static void unique() {
        Cell/*#<unique>*/ cell = new Cell/*#<unique>*/();
        cell.value = 1; // silent
        handOver(cell); // silent
        cell.value = 2; // expect: unique-shared; it was given away
    }

    static void uniqueTwice() {
        Cell/*#<unique>*/ cell = new Cell/*#<unique>*/();
        handOver(cell); // silent
        handOver(cell); // expect: unique-shared
    }

    static void uniqueEach() {
        handOver(new Cell/*#<unique>*/()); // silent
        handOver(new Cell/*#<unique>*/()); // silent
    }
}
