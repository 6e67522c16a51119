import quiet.Order;
import quiet.Threads;

/** Wrong: no two of the transactions conflict in more than one place, but in this run the three are a cycle. */
public class ObservedThreeBlocks {
    //! options: --atomicity blocks
    static class Cell {
        private int value;

        synchronized int get() {
            return value; //! atomicity observed ObservedThreeBlocks.sum
        }

        synchronized void set(int to) {
            value = to;
        }
    }

    private static final Cell a = new Cell();
    private static final Cell b = new Cell();
    private static final Cell c = new Cell();

    public static int sum() {
        int first = a.get();
        Order.reach("begun");
        Order.await("passed on");
        return first + c.get();
    }

    static void second() {
        Order.await("begun");
        a.set(1);
        b.set(1);
        Order.reach("set");
    }

    static void third() {
        Order.await("set");
        c.set(b.get());
        Order.reach("passed on");
    }

    public static void main(String[] arguments) {
        Threads.together(ObservedThreeBlocks::sum, ObservedThreeBlocks::second, ObservedThreeBlocks::third);
        System.out.println(c.get() == 1 ? "ok" : "lost");
    }
}
