import quiet.Threads;

/**
 * Right: writers take another lock first, which is held from the first read to the second. Reduction sees that the
 * cell's own lock is also taken without it, by a reader.
 */
public class BlocksHeldBetween {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value; //! with --atomicity reduction: atomicity predicted BlocksHeldBetween.isStable
        }

        synchronized void set(int to) {
            value = to;
        }
    }

    private static final Object WRITERS = new Object();
    private static final Cell cell = new Cell();

    public static boolean isStable() {
        synchronized (WRITERS) {
            return cell.get() == cell.get();
        }
    }

    public static void write(int value) {
        synchronized (WRITERS) {
            cell.set(value);
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(BlocksHeldBetween::isStable, () -> write(1), cell::get);
        System.out.println(cell.get() == 1 ? "ok" : "lost");
    }
}
