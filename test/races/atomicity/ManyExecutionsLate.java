import quiet.Threads;

/**
 * Wrong, but late: a block takes its lock once in thousands of executions, and only then begins to give it up in the
 * middle. Executions that are like many before are not all looked at; some are.
 */
public class ManyExecutionsLate {
    private static final int EXECUTIONS = 20_000;
    private static final int LATE = 6_000;
    private final Object lock = new Object();
    private int value;

    public void add(int execution) {
        int before;
        synchronized (lock) {
            before = value;
            if (execution < LATE) {
                value = before + 1;
                return;
            }
        }
        synchronized (lock) { //! atomicity predicted ManyExecutionsLate.add
            value = before + 1; //! atomicity predicted ManyExecutionsLate.add
        }
    }

    public static void main(String[] arguments) {
        ManyExecutionsLate shared = new ManyExecutionsLate();
        Runnable work = () -> {
            for (int i = 0; i < EXECUTIONS; i++) {
                shared.add(i);
            }
        };
        Threads.inTurn(work, work);
        System.out.println(shared.value == 2 * EXECUTIONS ? "ok" : "wrong");
    }
}
