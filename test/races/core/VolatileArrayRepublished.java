/** Right: elements are written, then the volatile reference is stored again; the reader reads it first. */
public class VolatileArrayRepublished {
    static volatile int[] cells = new int[2];
    static volatile boolean done;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            int[] mine = cells;
            mine[0] = 1;
            mine[1] = 2;
            cells = mine;
            done = true;
        });
        writer.start();
        while (!done) {
            Thread.yield();
        }
        int[] seen = cells;
        int sum = seen[0] + seen[1];
        writer.join();
        System.out.println(sum == 3 ? "ok" : "not seen");
    }
}
