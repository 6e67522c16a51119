import quiet.Order;

/** Wrong: an element is written by two threads under different locks; a third lock happens to order this run. */
public class ArrayPredicted {
    static final int[] cells = new int[4];
    static final Object ONE = new Object();
    static final Object TWO = new Object();
    static final Object OTHER = new Object();

    static void somethingElse() {
        synchronized (OTHER) {
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        cells[3] = 1;
        Thread first = new Thread(() -> {
            synchronized (ONE) {
                cells[3] = 2; //! race predicted ArrayPredicted.cells[]
            }
            somethingElse();
            Order.reach("written");
        });
        Thread second = new Thread(() -> {
            Order.await("written");
            somethingElse();
            synchronized (TWO) {
                cells[3] = 3; //! race predicted ArrayPredicted.cells[]
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
