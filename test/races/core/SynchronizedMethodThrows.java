import quiet.Order;

/** Wrong: a synchronized method ends with an exception, and its caller goes on without the lock. */
public class SynchronizedMethodThrows {
    private int calls;
    private int failures;

    synchronized void call() {
        calls++;
        throw new IllegalStateException();
    }

    static synchronized void callStatically() {
        throw new IllegalStateException();
    }

    void use() {
        try {
            call();
        } catch (IllegalStateException e) {
            failures++; //! race observed SynchronizedMethodThrows.failures
        }
        try {
            callStatically();
        } catch (IllegalStateException e) {
            failures++; //! race observed SynchronizedMethodThrows.failures
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        SynchronizedMethodThrows object = new SynchronizedMethodThrows();
        Thread first = new Thread(() -> {
            object.use();
            Order.reach("failed");
        });
        first.start();
        Order.await("failed");
        object.use();
        first.join();
        System.out.println(object.calls == 2 ? "ok" : "lost a call");
    }
}
