import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Right: a thread factory with an atomic counter, whose threads see what the factory has written. */
public class ExecutorThreadFactory {
    static class Worker extends Thread {
        int number;
        int tasks;

        Worker(Runnable work) {
            super(work);
        }
    }

    static class Factory implements ThreadFactory {
        final AtomicInteger made = new AtomicInteger();

        @Override
        public Thread newThread(Runnable work) {
            Worker worker = new Worker(work);
            worker.number = made.incrementAndGet();
            return worker;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Factory factory = new Factory();
        ExecutorService executor = Executors.newFixedThreadPool(3, factory);
        Future<?>[] futures = new Future<?>[30];
        for (int i = 0; i < futures.length; i++) {
            futures[i] = executor.submit(() -> {
                Worker worker = (Worker) Thread.currentThread();
                worker.tasks++;
                if (worker.number < 1 || worker.number > 3) {
                    throw new AssertionError(worker.number);
                }
            });
        }
        for (Future<?> future : futures) {
            future.get();
        }
        executor.shutdown();
        if (factory.made.get() != 3) {
            throw new AssertionError(factory.made.get());
        }
        System.out.println("ok");
    }
}
