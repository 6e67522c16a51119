import quiet.Threads;

/** Wrong: what is read may not be what was written before. */
public class BlocksWriteWriteRead {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value; //! atomicity predicted BlocksWriteWriteRead.setAndGet
        }

        synchronized void set(int to) {
            value = to;
        }
    }

    private static final Cell cell = new Cell();

    public static int setAndGet(int value) {
        cell.set(value);
        return cell.get();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> setAndGet(5), () -> cell.set(7));
        System.out.println("ok");
    }
}
