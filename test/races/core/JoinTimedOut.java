import quiet.Order;

/** Wrong: a join with a timeout returns before the thread has ended; nothing is ordered by that. */
public class JoinTimedOut {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> {
            value = 42; //! race observed JoinTimedOut.value
            Order.reach("written");
            Order.await("read");
        });
        thread.start();
        Order.await("written");
        thread.join(1);
        int seen = value; //! race observed JoinTimedOut.value
        Order.reach("read");
        thread.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
