/** Right: a thread starts a thread that starts a thread; what the first wrote is seen by the last. */
public class StartedByOther {
    static int value;

    static Thread nested(int depth) {
        return new Thread(() -> {
            value++;
            if (depth > 0) {
                Thread child = nested(depth - 1);
                child.start();
                try {
                    child.join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                value++;
            }
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = nested(4);
        thread.start();
        thread.join();
        System.out.println(value == 9 ? "ok" : "not seen");
    }
}
