import quiet.Order;

/** Wrong: the data is written after the interrupt, which therefore orders nothing. */
public class InterruptTooEarly {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread sleeper = new Thread(() -> {
            try {
                while (true) {
                    Thread.sleep(600_000);
                }
            } catch (InterruptedException e) {
                Order.await("written");
                value++; //! race observed InterruptTooEarly.value
            }
        });
        sleeper.start();
        sleeper.interrupt();
        value = 41; //! race observed InterruptTooEarly.value
        Order.reach("written");
        sleeper.join();
        System.out.println(value == 42 ? "ok" : "lost an addition");
    }
}
