import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import quiet.Order;

/** Wrong: the reason is written after interrupt(). */
public class QueueInterruptedLate {
    static final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    static int reason;

    public static void main(String[] arguments) throws Exception {
        Thread worker = new Thread(() -> {
            try {
                queue.take();
            } catch (InterruptedException e) {
                Order.await("written");
                if (reason != 1) { //! race observed QueueInterruptedLate.reason
                    throw new AssertionError(e);
                }
            }
        });
        worker.start();
        worker.interrupt();
        reason = 1;
        Order.reach("written");
        worker.join();
        System.out.println("ok");
    }
}
