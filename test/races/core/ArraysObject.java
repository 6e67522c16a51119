import quiet.Order;

/** With one state for a whole array, threads that use different elements without a lock look wrong. */
public class ArraysObject {
    //! options: --arrays object
    static final int[] cells = new int[8];

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            cells[0] = 1; //! race observed ArraysObject.cells[]
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        cells[7] = 2; //! race observed ArraysObject.cells[]
        first.join();
        System.out.println("ok");
    }
}
