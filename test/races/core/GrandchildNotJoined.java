import quiet.Order;

/** Wrong: the main thread joins its child, but not the thread that the child started. */
public class GrandchildNotJoined {
    static int child;
    static int grandchild;

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] inner = new Thread[1];
        Thread outer = new Thread(() -> {
            inner[0] = new Thread(() -> {
                grandchild = 1; //! race observed GrandchildNotJoined.grandchild
                Order.reach("written");
            });
            inner[0].start();
            child = 1;
        });
        outer.start();
        outer.join();
        Order.await("written");
        int sum = child;
        sum += grandchild; //! race observed GrandchildNotJoined.grandchild
        inner[0].join();
        System.out.println(sum > 0 ? "ok" : "not seen");
    }
}
