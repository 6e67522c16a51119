import quiet.Threads;

/** Right: reads and writes hold the lock. */
public class ReadIncLocked {
    private static final Object LOCK = new Object();
    private static int x;

    public static int read() {
        synchronized (LOCK) {
            return x;
        }
    }

    public static void increment() {
        synchronized (LOCK) {
            x = x + 1;
        }
    }

    static void work() {
        for (int i = 0; i < 50; i++) {
            increment();
            read();
        }
    }

    public static void main(String[] arguments) {
        Threads.together(ReadIncLocked::work, ReadIncLocked::work);
        System.out.println(read() == 100 ? "ok" : "lost");
    }
}
