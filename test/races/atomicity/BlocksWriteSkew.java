import quiet.Threads;

/** Wrong: each reads what the other writes; both may read what was there before. */
public class BlocksWriteSkew {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to; //! atomicity predicted BlocksWriteSkew.copy
        }
    }

    private static final Cell left = new Cell();
    private static final Cell right = new Cell();

    public static void copy(Cell from, Cell to) {
        to.set(from.get() + 1);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> copy(left, right), () -> copy(right, left));
        System.out.println(left.get() == 2 ? "ok" : "skewed");
    }
}
