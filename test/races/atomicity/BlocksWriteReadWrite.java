import quiet.Threads;

/** Wrong: somebody can see what was between two writes. */
public class BlocksWriteReadWrite {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to; //! atomicity predicted BlocksWriteReadWrite.pass
        }
    }

    private static final Cell cell = new Cell();

    public static void pass() {
        cell.set(-1);
        cell.set(1);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(BlocksWriteReadWrite::pass, cell::get);
        System.out.println("ok");
    }
}
