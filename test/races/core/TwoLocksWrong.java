import quiet.Order;

/** Wrong: of the two locks that a write needs the writer holds one, and the reader the other. */
public class TwoLocksWrong {
    static final Object LEFT = new Object();
    static final Object RIGHT = new Object();
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            synchronized (LEFT) {
                synchronized (RIGHT) {
                    value = 1;
                }
                value = 2; //! race observed TwoLocksWrong.value
            }
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int seen;
        synchronized (RIGHT) {
            seen = value; //! race observed TwoLocksWrong.value
        }
        writer.join();
        System.out.println(seen > 0 ? "ok" : "not seen");
    }
}
