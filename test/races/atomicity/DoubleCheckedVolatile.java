import quiet.Threads;

/** A known false alarm: no race, no harm done, but by reduction the first look and the lock are two steps. */
public class DoubleCheckedVolatile {
    private static final Object LOCK = new Object();
    private static volatile Object instance;
    private static int uses;

    public static Object get() {
        Object found = instance;
        if (found == null) {
            synchronized (LOCK) { //! atomicity predicted DoubleCheckedVolatile.get
                found = instance;
                if (found == null) {
                    found = new Object();
                    instance = found; //! atomicity predicted DoubleCheckedVolatile.get
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

    /** Both threads look at the field: what only one has ever used can be moved past everything. */
    static void work() {
        get();
        use();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DoubleCheckedVolatile::work, DoubleCheckedVolatile::work);
        System.out.println("ok");
    }
}
