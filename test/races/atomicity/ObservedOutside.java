import quiet.Order;
import quiet.Threads;

/** Wrong: who comes between is in no block that should be atomic. */
public class ObservedOutside {
    //! options: --atomicity reduction
    static class Cell {
        private int value;

        synchronized int get() {
            return value; //! atomicity observed ObservedOutside.isStable
        }

        synchronized void set(int to) {
            value = to;
        }
    }

    private static final Cell cell = new Cell();

    public static boolean isStable() {
        int before = cell.get();
        Order.reach("read");
        Order.await("written");
        return before == cell.get();
    }

    public static void main(String[] arguments) {
        Threads.together(() -> System.out.println(isStable() ? "stable" : "ok"), () -> {
            Order.await("read");
            cell.set(1);
            Order.reach("written");
        });
    }
}
