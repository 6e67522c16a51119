import quiet.Order;

/** Right: the lazy holder idiom; class initialization makes and publishes the instance. */
public class LazyHolder {
    private int value;

    private LazyHolder() {
        value = 42;
    }

    private static class Holder {
        static final LazyHolder INSTANCE = new LazyHolder();
    }

    static LazyHolder instance() {
        return Holder.INSTANCE;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            if (instance().value != 42) {
                throw new IllegalStateException();
            }
            Order.reach("made");
        });
        first.start();
        Order.await("made");
        int seen = instance().value;
        first.join();
        System.out.println(seen == 42 ? "ok" : "half an instance");
    }
}
