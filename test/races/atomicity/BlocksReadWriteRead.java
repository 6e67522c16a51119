import quiet.Threads;

/** Wrong: a write between two reads, each of which is right by itself. */
public class BlocksReadWriteRead {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value; //! atomicity predicted BlocksReadWriteRead.isStable
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
        Threads.inTurn(BlocksReadWriteRead::isStable, () -> cell.set(1));
        System.out.println("ok");
    }
}
