import quiet.Threads;

/** Wrong: two variables, one access each: in the end one may be of the first thread and the other of the second. */
public class BlocksTwoWriters {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to; //! atomicity predicted BlocksTwoWriters.setBoth
        }
    }

    private static final Cell left = new Cell();
    private static final Cell right = new Cell();

    public static void setBoth(int value) {
        left.set(value);
        right.set(value);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> setBoth(1), () -> setBoth(2));
        System.out.println(left.get() == 2 && right.get() == 2 ? "ok" : "mixed");
    }
}
