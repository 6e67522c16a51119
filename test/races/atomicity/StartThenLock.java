import quiet.Order;

/** Wrong: the thread runs already when the lock is taken; what it does may come before or after. */
public class StartThenLock {
    private static final Object LOCK = new Object();
    private static int value;

    public static void launch(Thread thread) {
        thread.start();
        synchronized (LOCK) { //! atomicity predicted StartThenLock.launch
            value++;
        }
        Order.reach("launched");
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> {
            Order.await("launched");
            synchronized (LOCK) {
                value++;
            }
        });
        launch(thread);
        thread.join();
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
