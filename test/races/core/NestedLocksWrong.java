import quiet.Order;

/** Wrong: after the inner block has ended only the outer lock is held; the other thread holds only the inner one. */
public class NestedLocksWrong {
    static final Object OUTER = new Object();
    static final Object INNER = new Object();
    static int inside;
    static int after;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            synchronized (OUTER) {
                synchronized (INNER) {
                    inside++;
                }
                after++; //! race observed NestedLocksWrong.after
            }
            Order.reach("done");
        });
        first.start();
        Order.await("done");
        synchronized (INNER) {
            inside++;
            // The inner lock was released before the write of the other thread, so it does not order this one.
            after++; //! race observed NestedLocksWrong.after
        }
        first.join();
        System.out.println("ok");
    }
}
