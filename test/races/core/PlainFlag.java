import quiet.Order;

/** Wrong: publication by a flag that is not volatile; the flag and the data race. */
public class PlainFlag {
    static int data;
    static boolean ready;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data = 42; //! race observed PlainFlag.data
            ready = true; //! race observed PlainFlag.ready
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        boolean valid = ready; //! race observed PlainFlag.ready
        int seen = data; //! race observed PlainFlag.data
        writer.join();
        System.out.println(valid || seen >= 0 ? "ok" : "impossible");
    }
}
