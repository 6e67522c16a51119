import quiet.Threads;

/** Wrong: the reader can see one variable before and the other after; of the two transactions neither is atomic. */
public class BlocksWriterAndReader {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value; //! atomicity predicted BlocksWriterAndReader.sum
        }

        synchronized void set(int to) {
            value = to; //! atomicity predicted BlocksWriterAndReader.setBoth
        }
    }

    private static final Cell left = new Cell();
    private static final Cell right = new Cell();

    public static void setBoth(int value) {
        left.set(value);
        right.set(value);
    }

    public static int sum() {
        return left.get() + right.get();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> setBoth(1), BlocksWriterAndReader::sum);
        System.out.println(sum() == 2 ? "ok" : "mixed");
    }
}
