package quiet;

import java.util.HashSet;
import java.util.Set;

/**
 * Forces the order of steps in different threads without telling the tool: the suite runs with {@code --exclude quiet},
 * so nothing in here orders anything for the checker. It uses monitors only: what the JDK's own classes do to order
 * threads counts whoever calls them. Who waits too long throws, so that no program hangs.
 */
public final class Order {
    private static final long PATIENCE = 30_000_000_000L;
    private static final Object LOCK = new Object();
    private static final Set<String> REACHED = new HashSet<>();

    private Order() {
    }

    /** Says that this step was reached; it stays so. */
    public static void reach(String step) {
        synchronized (LOCK) {
            REACHED.add(step);
            LOCK.notifyAll();
        }
    }

    /** Returns when the step was reached. An interrupt stays pending and does not end it. */
    public static void await(String step) {
        long end = System.nanoTime() + PATIENCE;
        boolean interrupted = false;
        synchronized (LOCK) {
            while (!REACHED.contains(step)) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new IllegalStateException("nobody reached " + step);
                }
                try {
                    LOCK.wait(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** True when the step was reached. */
    public static boolean reached(String step) {
        synchronized (LOCK) {
            return REACHED.contains(step);
        }
    }

    /** Returns when the thread waits for something: a monitor, a notification, a lock, time, another thread. */
    public static void awaitBlocked(Thread thread) {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            switch (thread.getState()) {
                case BLOCKED:
                case WAITING:
                case TIMED_WAITING:
                    return;
                case TERMINATED:
                    throw new IllegalStateException(thread.getName() + " has ended");
                default:
                    break;
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException(thread.getName() + " does not wait");
            }
            pause();
        }
    }

    /** Returns when the thread has ended, which a join or its state would tell the tool too: a dead thread has no group. */
    public static void awaitEnd(Thread thread) {
        long end = System.nanoTime() + PATIENCE;
        while (thread.getThreadGroup() != null) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(thread.getName() + " does not end");
            }
            pause();
        }
    }

    private static void pause() {
        synchronized (LOCK) {
            try {
                LOCK.wait(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
