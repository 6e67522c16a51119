import java.util.List;

/** Owners that nobody wrote follow from where a value comes from and goes to. */
final class InferredOwners {
    static class Cell/*#<o>*/ {
        int value /*# guarded_by o */;

        void both(Cell/*#<g>*/ other) /*# requires g$other */ {
            other.value++; // silent
        }
    }

    /** What it has is its own: o$this guards it. */
    static class Box/*#<o>*/ {
        final Cell/*#<o$this>*/ cell = new Cell/*#<o$this>*/();

        Cell/*#<o$this>*/ get() {
            return cell; // silent
        }
    }

    static void share(Box/*#<self>*/ box) {
    }

    static void keep(Box/*#<thisThread>*/ box) {
    }

    /** That the box's owner is self is known only at the end, and then its cell's owner is the box. */
    static void boxes() {
        Box shared = new Box();
        shared.cell.value++; // expect: guard-not-held
        synchronized (shared.cell) {
            shared.cell.value++; // expect: guard-not-held; the cell is not its own
        }
        synchronized (shared) {
            shared.cell.value++; // silent
            shared.get().value++; // silent
        }
        share(shared);
        Box mine = new Box();
        mine.cell.value++; // silent
        keep(mine);
        share(mine); // expect: owner-mismatch
    }

    static Cell/*#<g>*/ same(Cell/*#<g>*/ cell) {
        return cell; // silent
    }

    static Cell/*#<g>*/ either(Cell/*#<g>*/ one, Cell/*#<g>*/ other) {
        return one == null ? other : one; // silent
    }

    static Cell/*#<g$box>*/ inside(Box/*#<g>*/ box) {
        return box.cell; // silent
    }

    static void results(Cell/*#<self>*/ shared, Cell/*#<thisThread>*/ mine, Box/*#<self>*/ box) {
        same(same(mine)).value++; // silent
        same(same(shared)).value++; // expect: guard-not-held
        either(shared, mine).value++; // expect: owner-mismatch, guard-not-held
        either(mine, null).value++; // silent
        inside(box).value++; // expect: guard-not-held
        synchronized (box) {
            inside(box).value++; // silent
        }
        Cell made = new Cell();
        same(made).value++; // silent
        Cell known = new Cell();
        either(known, shared).value++; // expect: guard-not-held
        known.value++; // expect: guard-not-held; it has the owner of the other one
    }

    static void required(Cell/*#<self>*/ shared, Cell/*#<thisThread>*/ mine) {
        mine.both(mine); // silent
        mine.both(shared); // expect: requires-not-held
        synchronized (shared) {
            mine.both(shared); // silent
            mine.both(same(shared)); // silent: it gives back what it is given
            mine.both(either(shared, shared)); // expect: requires-not-held; it may be any
        }
    }

    /** Nothing is known of what others keep. */
    static void raw(List<Cell> cells, Cell undeclared) {
        same(cells.get(0)).value++; // expect: guard-not-held
        cells.get(0).both(cells.get(1)); // expect: requires-not-held
        same(undeclared).value++; // expect: guard-not-held
        undeclared.value++; // expect: guard-not-held
    }
}
