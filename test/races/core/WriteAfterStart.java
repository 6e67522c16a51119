import quiet.Order;

/** Wrong: the starting thread sets a field after the start, although the new thread reads it. */
public class WriteAfterStart {
    static int before;
    static int after;

    public static void main(String[] arguments) throws InterruptedException {
        before = 1;
        Thread thread = new Thread(() -> {
            Order.await("written");
            int sum = before;
            sum += after; //! race observed WriteAfterStart.after
            if (sum < 0) {
                throw new IllegalStateException();
            }
        });
        thread.start();
        after = 2; //! race observed WriteAfterStart.after
        Order.reach("written");
        thread.join();
        System.out.println("ok");
    }
}
