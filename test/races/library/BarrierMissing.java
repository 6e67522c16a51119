import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import quiet.Order;

/** Wrong: there is one barrier before the neighbour's cell is read, but none before it is written again. */
public class BarrierMissing {
    static final CyclicBarrier barrier = new CyclicBarrier(2);
    static final int[] cells = new int[2];

    static void pass() {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            cells[0] = 1;
            pass();
            Order.await("second read");
            cells[0] = 2; //! race observed BarrierMissing.cells[]
        });
        Thread second = new Thread(() -> {
            cells[1] = 1;
            pass();
            int neighbour = cells[0];
            Order.reach("second read");
            if (neighbour != 1) {
                throw new AssertionError(neighbour);
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
