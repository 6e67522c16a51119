package quiet;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Ends programs whose threads cannot. */
public final class Deadlock {
    private static final long PATIENCE = 30_000_000_000L;

    private Deadlock() {
    }

    /** Returns when the JVM says that so many threads wait for each other. */
    public static void await(int threads) throws InterruptedException {
        ThreadMXBean all = ManagementFactory.getThreadMXBean();
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            long[] stuck = all.findDeadlockedThreads();
            if (stuck != null && stuck.length == threads) {
                return;
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the threads go on");
            }
            Thread.sleep(1);
        }
    }
}
