import java.util.concurrent.Semaphore;

/** Right: ping-pong with two semaphores; each permit is released by one thread and acquired by the other. */
public class SemaphoreSignal {
    static final Semaphore full = new Semaphore(0);
    static final Semaphore empty = new Semaphore(1);
    static int cell;
    static int sum;

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            for (int i = 1; i <= 100; i++) {
                empty.acquireUninterruptibly();
                cell = i;
                full.release();
            }
        });
        Thread consumer = new Thread(() -> {
            for (int i = 1; i <= 100; i++) {
                full.acquireUninterruptibly();
                sum += cell;
                cell = 0;
                empty.release();
            }
        });
        producer.start();
        consumer.start();
        producer.join();
        consumer.join();
        if (sum != 5050) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
