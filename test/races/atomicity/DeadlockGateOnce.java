import quiet.Threads;

/** Wrong: only one of the two goes through the gate. */
public class DeadlockGateOnce {
    private static final Object GATE = new Object();
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    static void up() {
        synchronized (GATE) {
            synchronized (LEFT) {
                synchronized (RIGHT) { //! deadlock 2
                }
            }
        }
    }

    static void down() {
        synchronized (RIGHT) {
            synchronized (LEFT) { //! deadlock 2
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockGateOnce::up, DeadlockGateOnce::down);
        System.out.println("ok");
    }
}
