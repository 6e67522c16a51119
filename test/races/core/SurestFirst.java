import quiet.Order;

/** Wrong twice: only one finding is to be shown, and it is not the one that was found first, but the one that is sure. */
//! options: --max-reports 1 --quiet
public class SurestFirst {
    static int early;
    static int late;
    static final Object BETWEEN = new Object();

    static void somethingElse() {
        synchronized (BETWEEN) {
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        early = 3;
        Thread first = new Thread(() -> {
            early = 1;
            somethingElse();
            late = 1; //! race observed SurestFirst.late
            Order.reach("written");
        });
        Thread second = new Thread(() -> {
            Order.await("written");
            somethingElse();
            early = 2; // found, and only predicted: the lock came between
            somethingElse();
            late = 2; //! race observed SurestFirst.late
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
