import quiet.Threads;

/**
 * Wrong, but late, and inside of a block that goes on for ever: when enough was seen of that one, those inside of it are
 * still looked at.
 */
public class ManyExecutionsInside {
    //! options: --atomicity reduction
    private static final int EXECUTIONS = 40_000;
    private static final int LATE = 30_000;
    private final Object lock = new Object();
    private int value;

    public void handle(int execution) {
        int before;
        synchronized (lock) { //! atomicity predicted ManyExecutionsInside.serve
            before = value;
            if (execution < LATE) {
                value = before + 1;
                return;
            }
        }
        synchronized (lock) { //! atomicity predicted ManyExecutionsInside.handle
            value = before + 1;
        }
    }

    public void serve() {
        for (int i = 0; i < EXECUTIONS; i++) {
            handle(i);
        }
    }

    public static void main(String[] arguments) {
        ManyExecutionsInside shared = new ManyExecutionsInside();
        Threads.inTurn(shared::serve, shared::serve);
        System.out.println(shared.value == 2 * EXECUTIONS ? "ok" : "wrong");
    }
}
