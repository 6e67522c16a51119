import quiet.Threads;

/** Right: two variables with locks of their own, and one lock around both of them. */
public class BlocksTwoLocked {
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to;
        }
    }

    private static final Object LOCK = new Object();
    private static final Cell left = new Cell();
    private static final Cell right = new Cell();

    public static void setBoth(int value) {
        synchronized (LOCK) {
            left.set(value);
            right.set(value);
        }
    }

    public static int sum() {
        synchronized (LOCK) {
            return left.get() + right.get();
        }
    }

    public static void main(String[] arguments) {
        Threads.together(() -> setBoth(1), BlocksTwoLocked::sum, () -> setBoth(2));
        System.out.println(sum() % 2 == 0 ? "ok" : "mixed");
    }
}
