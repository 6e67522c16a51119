import quiet.Order;

/** Right: who sees that a thread is TERMINATED comes after all that it did. */
public class ThreadStateTerminated {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            value = 1;
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        while (first.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
        value++;
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
