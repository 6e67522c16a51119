import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Right: beforeExecute() and afterExecute() run in the worker beside the task, terminated() after all of them and
 * before awaitTermination() comes back.
 */
public class ExecutorHooks {
    static class Pool extends ThreadPoolExecutor {
        final AtomicInteger finished = new AtomicInteger();
        final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);
        int total;

        Pool() {
            super(2, 2, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            depth.get()[0]++;
            ((Task) task).state = 1;
        }

        @Override
        protected void afterExecute(Runnable task, Throwable thrown) {
            if (((Task) task).state == 2) {
                finished.incrementAndGet();
            }
            depth.get()[0]--;
        }

        @Override
        protected void terminated() {
            total = finished.get();
        }
    }

    static class Task implements Runnable {
        int state;

        @Override
        public void run() {
            state++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Pool pool = new Pool();
        for (int i = 0; i < 20; i++) {
            pool.execute(new Task());
        }
        pool.shutdown();
        if (!pool.awaitTermination(1, TimeUnit.MINUTES) || pool.total != 20) {
            throw new AssertionError(pool.total);
        }
        System.out.println("ok");
    }
}
