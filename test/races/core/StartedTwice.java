import quiet.Order;

/** Wrong: a second start of a running thread fails, and orders nothing. */
public class StartedTwice {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> {
            Order.await("written");
            value++; //! race observed StartedTwice.value
        });
        thread.start();
        value = 1; //! race observed StartedTwice.value
        try {
            thread.start();
            System.out.println("started twice");
        } catch (IllegalThreadStateException e) {
            Order.reach("written");
        }
        thread.join();
        System.out.println("ok");
    }
}
