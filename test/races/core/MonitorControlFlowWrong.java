import quiet.Order;

/** Wrong: after break, continue and return out of the block the lock is not held; the finally is outside of it. */
public class MonitorControlFlowWrong {
    static final Object LOCK = new Object();
    static int inside;
    static int afterBreak;
    static int afterContinue;
    static int inFinally;

    static int work() {
        while (true) {
            synchronized (LOCK) {
                inside++;
                if (inside > 0) {
                    break;
                }
            }
        }
        afterBreak++; //! race observed MonitorControlFlowWrong.afterBreak
        for (int i = 0; i < 2; i++) {
            if (i > 0) {
                afterContinue++; //! race observed MonitorControlFlowWrong.afterContinue
            }
            synchronized (LOCK) {
                if (i == 0) {
                    continue;
                }
                inside++;
            }
            break;
        }
        try {
            synchronized (LOCK) {
                return inside;
            }
        } finally {
            inFinally++; //! race observed MonitorControlFlowWrong.inFinally
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            work();
            Order.reach("done");
        });
        first.start();
        Order.await("done");
        // Without the lock: with it, the other thread's last release would order this run.
        afterBreak++; //! race observed MonitorControlFlowWrong.afterBreak
        afterContinue++; //! race observed MonitorControlFlowWrong.afterContinue
        inFinally++; //! race observed MonitorControlFlowWrong.inFinally
        first.join();
        System.out.println(inside == 2 ? "ok" : "lost an addition");
    }
}
