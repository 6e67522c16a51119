import quiet.Threads;

/** Right: nobody can tell a write between two others from one before them. Reduction does not look that closely. */
public class BlocksBlindWrites {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to; //! with --atomicity reduction: atomicity predicted BlocksBlindWrites.pass
        }
    }

    private static final Cell cell = new Cell();

    public static void pass() {
        cell.set(-1);
        cell.set(1);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(BlocksBlindWrites::pass, () -> cell.set(7));
        System.out.println(cell.get() == 7 ? "ok" : "lost");
    }
}
