import quiet.Threads;

/**
 * Wrong: two threads take two locks in opposite order. That all sections of one of them wait and notify does not
 * order those who come.
 */
public class DeadlockHandOver {
    private static final Object BUFFER = new Object();
    private static final Object LOG = new Object();
    private static int items;

    static void put() {
        synchronized (BUFFER) {
            while (items > 3) {
                pause();
            }
            items++;
            synchronized (LOG) { //! deadlock 2
                BUFFER.notifyAll();
            }
        }
    }

    static void take() {
        synchronized (LOG) {
            synchronized (BUFFER) { //! deadlock 2
                while (items == 0) {
                    pause();
                }
                items--;
                BUFFER.notifyAll();
            }
        }
    }

    private static void pause() {
        try {
            BUFFER.wait();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> put(), () -> take());
        System.out.println(items == 0 ? "ok" : "lost");
    }
}
