import quiet.Order;

/** Wrong: a volatile field with an array makes the reference volatile, not the elements. */
public class VolatileArray {
    static volatile int[] cells;

    public static void main(String[] arguments) throws InterruptedException {
        cells = new int[2];
        Thread writer = new Thread(() -> {
            cells[0] = 1; //! race observed VolatileArray.cells[]
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int seen = cells[0]; //! race observed VolatileArray.cells[]
        writer.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
