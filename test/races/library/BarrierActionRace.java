import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import quiet.Order;

/** Wrong: the barrier action writes what a thread that does not take part in the barrier reads. */
public class BarrierActionRace {
    static int total;
    static final CyclicBarrier barrier = new CyclicBarrier(2, () -> {
        total = 7; //! race observed BarrierActionRace.total
        Order.reach("added up");
    });

    public static void main(String[] arguments) throws Exception {
        Runnable work = () -> {
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new AssertionError(e);
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        Order.await("added up");
        int seen = total;
        first.join();
        second.join();
        System.out.println(seen == 7 ? "ok" : "wrong total");
    }
}
