import quiet.Order;

/** Wrong: the main thread joins a thread, but not the one whose result it reads. */
public class JoinOtherThread {
    static int result;
    static int other;

    public static void main(String[] arguments) throws InterruptedException {
        Thread worker = new Thread(() -> {
            result = 42; //! race observed JoinOtherThread.result
            Order.reach("written");
        });
        Thread bystander = new Thread(() -> {
            Order.await("written");
            other = 1;
        });
        worker.start();
        bystander.start();
        bystander.join();
        int seen = other;
        seen += result; //! race observed JoinOtherThread.result
        worker.join();
        System.out.println(seen > 0 ? "ok" : "not seen");
    }
}
