/** Right: double-checked locking with a volatile field. */
public class DoubleCheckedVolatile {
    private static volatile DoubleCheckedVolatile instance;

    private int value;

    private DoubleCheckedVolatile() {
        value = 42;
    }

    static DoubleCheckedVolatile instance() {
        DoubleCheckedVolatile result = instance;
        if (result == null) {
            synchronized (DoubleCheckedVolatile.class) {
                result = instance;
                if (result == null) {
                    result = new DoubleCheckedVolatile();
                    instance = result;
                }
            }
        }
        return result;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable use = () -> {
            if (instance().value != 42) {
                throw new IllegalStateException();
            }
        };
        Thread first = new Thread(use);
        Thread second = new Thread(use);
        first.start();
        second.start();
        int seen = instance().value;
        first.join();
        second.join();
        System.out.println(seen == 42 ? "ok" : "half an instance");
    }
}
