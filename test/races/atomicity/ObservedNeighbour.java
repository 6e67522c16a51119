import quiet.Order;
import quiet.Threads;

/** Wrong: not atomic, but who comes between in this run uses another cell, and so nothing is observed. */
public class ObservedNeighbour {
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to; //! atomicity predicted ObservedNeighbour.increment
        }
    }

    private static final Cell cell = new Cell();
    private static final Cell other = new Cell();

    public static void increment() {
        int before = cell.get();
        Order.reach("read");
        Order.await("written");
        cell.set(before + 1);
        Order.reach("done");
    }

    public static void main(String[] arguments) {
        Threads.together(ObservedNeighbour::increment, () -> {
            Order.await("read");
            other.set(7);
            Order.reach("written");
            Order.await("done");
            cell.set(7);
        });
        System.out.println(cell.get() == 7 ? "ok" : "lost");
    }
}
