import quiet.Threads;

/** Right: nobody looks at both cells, so nobody can see one set and the other not. Reduction does not ask who looks. */
public class BlocksOneEach {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to; //! with --atomicity reduction: atomicity predicted BlocksOneEach.setBoth
        }
    }

    private static final Cell left = new Cell();
    private static final Cell right = new Cell();

    public static void setBoth(int value) {
        left.set(value);
        right.set(value);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> setBoth(1), left::get, right::get);
        System.out.println(left.get() == 1 ? "ok" : "lost");
    }
}
