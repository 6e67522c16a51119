import quiet.Order;
import quiet.Threads;

/** Wrong: neither method is atomic; in this run somebody comes between the steps of one of them. */
public class ObservedOneOfTwo {
    static class Cell {
        private int value;

        synchronized int get() {
            return value; //! atomicity predicted ObservedOneOfTwo.sum
        }

        synchronized void set(int to) {
            value = to; //! atomicity observed ObservedOneOfTwo.setBoth
        }
    }

    private static final Cell left = new Cell();
    private static final Cell right = new Cell();

    public static void setBoth(int value) {
        left.set(value);
        Order.reach("half");
        Order.await("read");
        right.set(value);
    }

    public static int sum() {
        return left.get() + right.get();
    }

    public static void main(String[] arguments) {
        Threads.together(() -> setBoth(1), () -> {
            Order.await("half");
            System.out.println(sum() == 1 ? "ok" : "not half");
            Order.reach("read");
        });
    }
}
