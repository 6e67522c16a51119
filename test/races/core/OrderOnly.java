import quiet.Order;

/**
 * With happens-before alone only what this run shows counts: `early` is ordered by a lock's hand-over, `late` is not.
 */
public class OrderOnly {
    //! options: --races hb
    static final Object LOCK = new Object();
    static int early;
    static int late;

    static void somethingElse() {
        synchronized (LOCK) {
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        early = 1;
        late = 1;
        Thread first = new Thread(() -> {
            early = 2;
            somethingElse();
            late = 2; //! race observed OrderOnly.late
            Order.reach("written");
        });
        Thread second = new Thread(() -> {
            Order.await("written");
            somethingElse();
            early = 3;
            late = 3; //! race observed OrderOnly.late
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
