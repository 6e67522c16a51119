import quiet.Threads;

/** Right: the lock is used before there are other threads, and by none of them. */
public class LocalLockAlone {
    private static final Object LOCK = new Object();
    private static int entries;

    public static void load() {
        for (int i = 0; i < 3; i++) {
            synchronized (LOCK) { //! with --without thread-local-locks: atomicity predicted LocalLockAlone.load
                entries++;
            }
        }
    }

    public static int entries() {
        return entries;
    }

    public static void main(String[] arguments) {
        load();
        Threads.together(LocalLockAlone::entries, LocalLockAlone::entries);
        System.out.println(entries() == 3 ? "ok" : "lost");
    }
}
