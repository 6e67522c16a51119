import quiet.Threads;

/** Right: as long as there are threads nobody writes. Reduction sees a lock that is given up and taken again. */
public class BlocksReaders {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value; //! with --atomicity reduction: atomicity predicted BlocksReaders.isStable
        }

        synchronized void set(int to) {
            value = to;
        }
    }

    private static final Cell cell = new Cell();

    public static boolean isStable() {
        return cell.get() == cell.get();
    }

    public static void main(String[] arguments) {
        cell.set(5);
        Threads.inTurn(BlocksReaders::isStable, BlocksReaders::isStable);
        System.out.println(cell.get() == 5 ? "ok" : "lost");
    }
}
