import quiet.Order;

/** Wrong: another state of a thread says nothing of what it did. */
public class ThreadStateRunnable {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            value = 1;
            Order.reach("written");
            Order.await("read");
        });
        first.start();
        Order.await("written");
        while (first.getState() == Thread.State.NEW) {
            Thread.yield();
        }
        value++; //! race observed ThreadStateRunnable.value
        Order.reach("read");
        first.join();
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
