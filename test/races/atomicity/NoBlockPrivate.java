import quiet.Threads;

/** Nobody said that a private or package-private method should be atomic. */
public class NoBlockPrivate {
    private static final Object LOCK = new Object();
    private static int value;

    private static void increment() {
        int before;
        synchronized (LOCK) {
            before = value;
        }
        synchronized (LOCK) {
            value = before + 1;
        }
    }

    static void twice() {
        increment();
        increment();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(NoBlockPrivate::twice, NoBlockPrivate::increment);
        System.out.println(value == 3 ? "ok" : "lost");
    }
}
