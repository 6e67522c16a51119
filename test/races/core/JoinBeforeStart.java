import quiet.Order;

/** Wrong: joining a thread that was not started yet returns at once, and orders nothing that it does later. */
public class JoinBeforeStart {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> {
            value = 1; //! race observed JoinBeforeStart.value
            Order.reach("written");
        });
        thread.join();
        thread.start();
        Order.await("written");
        value = 2; //! race observed JoinBeforeStart.value
        thread.join();
        System.out.println("ok");
    }
}
