import quiet.Order;
import quiet.Threads;

/** Wrong: a wait is over because its time is. Somebody had the lock before, but not to wake anybody. */
public class HandOverTimedOut {
    private static final Object LOCK = new Object();
    private static int number;
    private static int steps;

    static void step() {
        synchronized (LOCK) {
            steps++;
        }
    }

    static void pause() throws InterruptedException {
        synchronized (LOCK) {
            LOCK.wait(1);
        }
    }

    public static void main(String[] arguments) {
        number = 1;
        Threads.together(() -> {
            number++; //! race predicted HandOverTimedOut.number
            step();
            Order.reach("stepped");
        }, () -> {
            Order.await("stepped");
            try {
                pause();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            number++; //! race predicted HandOverTimedOut.number
        });
        System.out.println(number == 3 ? "ok" : "lost");
    }
}
