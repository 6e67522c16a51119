import java.util.concurrent.atomic.AtomicReference;
import quiet.Order;

/** Wrong: an atomic reference to a plain array: its elements are not atomic. */
public class AtomicPlainElements {
    static final int[] cells = new int[4];
    static final AtomicReference<int[]> shared = new AtomicReference<>(cells);

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            if (shared.get() != cells) {
                throw new AssertionError();
            }
            cells[1]++;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            if (shared.get() != cells) {
                throw new AssertionError();
            }
            cells[1]++; //! race observed AtomicPlainElements.cells[]
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
