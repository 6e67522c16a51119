import quiet.Threads;

/** Wrong: a race, and the first look and what is done under the lock are two steps. */
public class DoubleCheckedPlain {
    private static final Object LOCK = new Object();
    private static Object instance;
    private static int uses;

    public static Object get() {
        Object found = instance; //! race observed DoubleCheckedPlain.instance
        if (found == null) {
            synchronized (LOCK) { //! atomicity predicted DoubleCheckedPlain.get
                found = instance;
                if (found == null) {
                    found = new Object();
                    instance = found; //! race observed DoubleCheckedPlain.instance
                }
            }
        }
        return found;
    }

    public static void use() {
        synchronized (LOCK) {
            uses++;
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DoubleCheckedPlain::get, () -> {
            get();
            use();
        });
        System.out.println("ok");
    }
}
