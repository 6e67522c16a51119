import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Right: the barrier action runs after all have arrived and before any goes on; it may touch everybody's data. */
public class BarrierAction {
    static final int THREADS = 3;
    static final int[] cells = new int[THREADS];
    static int total;
    static final CyclicBarrier barrier = new CyclicBarrier(THREADS, () -> {
        for (int i = 0; i < THREADS; i++) {
            total += cells[i];
            cells[i] = 0;
        }
    });

    static void work(int number) {
        try {
            int before = 0;
            for (int phase = 1; phase <= 20; phase++) {
                cells[number] += phase;
                barrier.await();
                if (total != before + THREADS * phase) {
                    throw new AssertionError(total);
                }
                before = total;
                barrier.await();
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> work(number));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (total != THREADS * 210) {
            throw new AssertionError(total);
        }
        System.out.println("ok");
    }
}
