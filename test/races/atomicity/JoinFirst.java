import quiet.Threads;

/** Right: the thread is joined before anything is done. */
public class JoinFirst {
    private static final Object LOCK = new Object();
    private static int value;

    public static int collect(Thread thread) throws InterruptedException {
        thread.join();
        synchronized (LOCK) {
            return value;
        }
    }

    static void work() {
        synchronized (LOCK) {
            value++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(JoinFirst::work);
        thread.start();
        Threads.together(JoinFirst::work, () -> {
            try {
                collect(thread);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
