import quiet.Threads;

/** Wrong: two locks in both orders. Here one thread comes after the other; at the same time both may wait for ever. */
public class DeadlockTwo {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static int sum;

    static void up() {
        synchronized (LEFT) {
            synchronized (RIGHT) { //! deadlock 2
                sum++;
            }
        }
    }

    static void down() {
        synchronized (RIGHT) {
            synchronized (LEFT) { //! deadlock 2
                sum--;
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockTwo::up, DeadlockTwo::down);
        System.out.println(sum == 0 ? "ok" : "lost");
    }
}
