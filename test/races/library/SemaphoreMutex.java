import java.util.concurrent.Semaphore;

/** Right: a semaphore with one permit lets one thread in at a time; release() comes before the next acquire(). */
public class SemaphoreMutex {
    static class Counter {
        final Semaphore permit = new Semaphore(1);
        int count;
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        counter.count = 1;
        Runnable work = () -> {
            for (int i = 0; i < 200; i++) {
                counter.permit.acquireUninterruptibly();
                try {
                    counter.count++;
                } finally {
                    counter.permit.release();
                }
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (counter.count != 401) {
            throw new AssertionError(counter.count);
        }
        System.out.println("ok");
    }
}
