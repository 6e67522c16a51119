//! needs: 21
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Right: a thousand virtual threads wait at a gate, write a cell each, and are awaited by a latch. */
public class VirtualMany {
    static final int THREADS = 1000;

    public static void main(String[] arguments) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(THREADS);
        AtomicInteger next = new AtomicInteger();
        int[] cells = new int[THREADS];
        for (int i = 0; i < THREADS; i++) {
            Thread.startVirtualThread(() -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                cells[next.getAndIncrement()]++;
                done.countDown();
            });
        }
        for (int i = 0; i < THREADS; i++) {
            cells[i] = i;
        }
        gate.countDown();
        done.await();
        int sum = 0;
        for (int cell : cells) {
            sum += cell;
        }
        if (sum != 500500) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
