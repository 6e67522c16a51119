/** Right: the thread is started when all is done. */
public class StartLast {
    private static final Object LOCK = new Object();
    private static int value;

    public static void launch(Thread thread) {
        synchronized (LOCK) {
            value++;
        }
        thread.start();
    }

    static void work() {
        synchronized (LOCK) {
            value++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(StartLast::work);
        Thread second = new Thread(StartLast::work);
        launch(first);
        launch(second);
        first.join();
        second.join();
        System.out.println(value == 4 ? "ok" : "lost");
    }
}
