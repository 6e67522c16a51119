import quiet.Order;

/** Wrong: the result of a thread is read without a join; that the thread has done its work in time is luck. */
public class MissingJoin {
    static int result;

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> {
            result = 42; //! race observed MissingJoin.result
        });
        thread.start();
        Order.awaitEnd(thread);
        int seen = result; //! race observed MissingJoin.result
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
