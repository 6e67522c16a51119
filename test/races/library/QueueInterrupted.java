import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import quiet.Order;

/** Right: interrupt() comes before the InterruptedException in take(), so the reason is there to be read. */
public class QueueInterrupted {
    static final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    static String reason = "none";
    static String seen;

    public static void main(String[] arguments) throws Exception {
        Thread worker = new Thread(() -> {
            try {
                queue.take();
            } catch (InterruptedException e) {
                seen = reason;
            }
        });
        worker.start();
        Order.awaitBlocked(worker);
        reason = "closing";
        worker.interrupt();
        worker.join();
        if (!seen.equals("closing")) {
            throw new AssertionError(seen);
        }
        System.out.println("ok");
    }
}
