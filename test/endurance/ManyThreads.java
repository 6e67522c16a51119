import java.util.concurrent.CountDownLatch;

/**
 * Threads one after the other, and many at once.
 *
 *     ManyThreads [ONE AFTER THE OTHER] [AT ONCE]
 */
public class ManyThreads {
    private final Object lock = new Object();
    private int counter;
    private final int[] slots = new int[64];
    private static final ThreadLocal<int[]> OWN = ThreadLocal.withInitial(() -> new int[1]);

    private void work(int number) {
        synchronized (lock) {
            counter++;
            slots[number & 63] += number;
        }
        Object own = new Object();
        synchronized (own) {
            OWN.get()[0]++;
        }
    }

    private long sum() {
        synchronized (lock) {
            long sum = counter;
            for (int slot : slots) {
                sum += slot;
            }
            return sum;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int after = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int atOnce = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 500;
        ManyThreads program = new ManyThreads();
        int[] plain = new int[1];
        for (int i = 0; i < after; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                program.work(number);
                plain[0]++; /* ordered by start and join alone */
            });
            thread.start();
            thread.join();
            if (i == after / 10) {
                Status.report("tenth");
            }
        }
        System.out.println("one after the other " + program.sum() + " " + plain[0]);
        for (int round = 0; round < 3; round++) {
            CountDownLatch started = new CountDownLatch(atOnce);
            Thread[] threads = new Thread[atOnce];
            for (int i = 0; i < atOnce; i++) {
                int number = i;
                threads[i] = new Thread(() -> {
                    program.work(number);
                    started.countDown();
                    try {
                        started.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    for (int k = 0; k < 20; k++) {
                        program.work(number + k);
                    }
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        System.out.println("at once " + program.sum());
        Status.end();
    }
}
