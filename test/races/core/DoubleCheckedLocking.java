import quiet.Order;

/**
 * Wrong: double-checked locking without volatile. The first check reads the field without a lock, and who skips the
 * lock may see the instance before its contents.
 */
public class DoubleCheckedLocking {
    private static DoubleCheckedLocking instance;

    private int value;

    private DoubleCheckedLocking() {
        value = 42;
    }

    static DoubleCheckedLocking instance() {
        DoubleCheckedLocking result = instance; //! race observed DoubleCheckedLocking.instance
        if (result == null) {
            synchronized (DoubleCheckedLocking.class) {
                if (instance == null) {
                    instance = new DoubleCheckedLocking(); //! race observed DoubleCheckedLocking.instance
                }
                result = instance;
            }
        }
        return result;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            instance();
            Order.reach("made");
        });
        first.start();
        Order.await("made");
        int seen = instance().value; //! race observed DoubleCheckedLocking.value
        first.join();
        System.out.println(seen == 42 ? "ok" : "half an instance");
    }
}
