import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Right: in each phase a thread writes its own cell; after the barrier it reads those of the others. */
public class BarrierPhases {
    static final int THREADS = 3;
    static final CyclicBarrier barrier = new CyclicBarrier(THREADS);
    static final int[] cells = new int[THREADS];

    static void work(int number) {
        try {
            for (int phase = 1; phase <= 20; phase++) {
                cells[number] = phase;
                barrier.await();
                for (int cell : cells) {
                    if (cell != phase) {
                        throw new AssertionError(cell);
                    }
                }
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
        System.out.println("ok");
    }
}
