import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import quiet.Order;

/** Wrong: afterExecute() runs in every worker, and counts in a plain field. */
public class ExecutorHooksRace {
    static class Pool extends ThreadPoolExecutor {
        int finished;

        Pool() {
            super(2, 2, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        }

        @Override
        protected void afterExecute(Runnable task, Throwable thrown) {
            ((Task) task).before();
            finished++; //! race observed ExecutorHooksRace$Pool.finished
            ((Task) task).after();
        }
    }

    static class Task implements Runnable {
        final String name;
        final String other;

        Task(String name, String other) {
            this.name = name;
            this.other = other;
        }

        @Override
        public void run() {
            Order.reach(name);
            Order.await(other);
        }

        void before() {
            if (name.equals("second")) {
                Order.await("first counted");
            }
        }

        void after() {
            if (name.equals("first")) {
                Order.reach("first counted");
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Pool pool = new Pool();
        pool.execute(new Task("first", "second"));
        pool.execute(new Task("second", "first"));
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println("ok");
    }
}
