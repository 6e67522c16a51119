import quiet.Threads;

/** Wrong: when the wait is over the outer lock is taken again, while the inner one is held. */
public class DeadlockWait {
    private static final Object OUTER = new Object();
    private static final Object INNER = new Object();

    static void pause() {
        synchronized (OUTER) {
            synchronized (INNER) {
                try {
                    OUTER.wait(1); //! deadlock 2
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    static void both() {
        synchronized (OUTER) {
            synchronized (INNER) { //! deadlock 2
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockWait::pause, DeadlockWait::both);
        System.out.println("ok");
    }
}
