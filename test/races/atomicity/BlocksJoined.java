/** Right: the one thread has ended before the other begins; nothing can come between the two steps. */
public class BlocksJoined {
    static class Cell {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to;
        }
    }

    private static final Cell cell = new Cell();

    public static void increment() {
        cell.set(cell.get() + 1);
    }

    public static void main(String[] arguments) throws InterruptedException {
        increment();
        Thread first = new Thread(BlocksJoined::increment);
        first.start();
        first.join();
        Thread second = new Thread(BlocksJoined::increment);
        second.start();
        second.join();
        increment();
        System.out.println(cell.get() == 4 ? "ok" : "lost");
    }
}
