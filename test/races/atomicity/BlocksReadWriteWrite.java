import quiet.Threads;

/** Wrong: a write between a read and the write that relies on it is lost. */
public class BlocksReadWriteWrite {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to; //! atomicity predicted BlocksReadWriteWrite.increment
        }
    }

    private static final Cell cell = new Cell();

    public static void increment() {
        cell.set(cell.get() + 1);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(BlocksReadWriteWrite::increment, () -> cell.set(7));
        System.out.println("ok");
    }
}
