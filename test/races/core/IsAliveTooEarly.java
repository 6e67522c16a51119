import quiet.Order;

/** Wrong: isAlive says that the thread still runs; that orders nothing. */
public class IsAliveTooEarly {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> {
            value = 42; //! race observed IsAliveTooEarly.value
            Order.reach("written");
            Order.await("read");
        });
        thread.start();
        Order.await("written");
        int seen = 0;
        if (thread.isAlive()) {
            seen = value; //! race observed IsAliveTooEarly.value
        }
        Order.reach("read");
        thread.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
