import net.jcip.annotations.GuardedBy;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** The body of a lambda that runs later starts with no locks. */
final class RunLater {
    private final Object lock = new Object();
    @GuardedBy("this") private int count;
    @GuardedBy("lock") private int value;

    synchronized Runnable returned() {
        count++; // silent
        return () -> count++; // expect: guard-not-held
    }

    synchronized void executed(ExecutorService pool) {
        pool.execute(() -> count++); // expect: guard-not-held
        pool.submit(() -> {
            count--; // expect: guard-not-held
            synchronized (this) {
                count--; // silent
            }
            count = 0; // expect: guard-not-held
        });
        count++; // silent: nothing has changed here
    }

    synchronized void started() {
        new Thread(() -> count = 1).start(); // expect: guard-not-held
        new Thread(() -> { synchronized (this) { count = 2; } }).start(); // silent
    }

    void insideLock() {
        synchronized (lock) {
            Supplier<Integer> supplier = () -> value; // expect: guard-not-held
            Callable<Integer> callable = () -> {
                synchronized (lock) {
                    return value; // silent
                }
            };
            value++; // silent
        }
    }

    synchronized Supplier<Runnable> nested() {
        return () -> {
            count = 3; // expect: guard-not-held
            synchronized (this) {
                count = 4; // silent
                return () -> count = 5; // expect: guard-not-held
            }
        };
    }

    static Runnable ofParameter(RunLater one) {
        synchronized (one) {
            return () -> one.count++; // expect: guard-not-held
        }
    }

    static Runnable captured(RunLater one) {
        return () -> {
            synchronized (one) {
                one.count++; // silent: a captured variable is final
            }
            synchronized (one.lock) {
                one.value++; // silent
                one.count++; // expect: guard-not-held
            }
        };
    }

    static Runnable capturedLock(RunLater one) {
        Object lock = one.lock;
        return () -> {
            synchronized (lock) {
                Thread.yield();
            }
            one.value++; // expect: guard-not-held
        };
    }
}
