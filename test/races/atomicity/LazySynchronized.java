import quiet.Threads;

/** Right: whoever asks holds the lock. */
public class LazySynchronized {
    private static Object instance;

    public static synchronized Object get() {
        if (instance == null) {
            instance = new Object();
        }
        return instance;
    }

    public static void main(String[] arguments) {
        Threads.together(LazySynchronized::get, LazySynchronized::get);
        System.out.println(get() != null ? "ok" : "lost");
    }
}
