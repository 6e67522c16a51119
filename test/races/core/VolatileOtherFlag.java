import quiet.Order;

/** Wrong: writer and reader use different volatile fields, and a volatile field of different objects. */
public class VolatileOtherFlag {
    static class Flag {
        volatile boolean up;
        volatile boolean down;
    }

    static int data;

    public static void main(String[] arguments) throws InterruptedException {
        Flag one = new Flag();
        Flag two = new Flag();
        Thread writer = new Thread(() -> {
            data = 42; //! race observed VolatileOtherFlag.data
            one.up = true;
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        boolean none = one.down | two.up;
        int seen = data; //! race observed VolatileOtherFlag.data
        writer.join();
        System.out.println(!none && seen >= 0 ? "ok" : "impossible");
    }
}
