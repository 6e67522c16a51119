import quiet.Order;

/** With happens-before alone: no locks in common and yet nothing to report, as every pair is ordered in this run. */
public class OrderOnlyRight {
    //! options: --races hb
    static final Object ONE = new Object();
    static final Object TWO = new Object();
    static int value;

    static void add(Object lock) {
        synchronized (lock) {
            value++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        value = 1;
        Thread first = new Thread(() -> {
            add(ONE);
            synchronized (TWO) {
            }
            Order.reach("added");
        });
        Thread second = new Thread(() -> {
            Order.await("added");
            add(TWO);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(value == 3 ? "ok" : "lost an addition");
    }
}
