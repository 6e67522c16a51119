import quiet.Threads;

/** What a thread begins with goes on as long as the thread does, and is not meant to be atomic. */
public class NoBlockRun implements Runnable {
    private static final Object LOCK = new Object();
    private static int value;

    @Override
    public void run() {
        for (int i = 0; i < 2; i++) {
            synchronized (LOCK) {
                value++;
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.together(new NoBlockRun(), new NoBlockRun());
        System.out.println(value == 4 ? "ok" : "lost");
    }
}
