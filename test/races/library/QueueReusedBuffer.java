import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import quiet.Order;

/** Wrong: the producer puts the same array again and again, and fills it while the consumer reads. */
public class QueueReusedBuffer {
    static class Producer {
        final int[] buffer = new int[2];
        final BlockingQueue<int[]> queue = new LinkedBlockingQueue<>();

        void produce(int value) {
            buffer[0] = value; //! race observed QueueReusedBuffer$Producer.buffer[]
            queue.add(buffer);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Producer producer = new Producer();
        Thread thread = new Thread(() -> {
            producer.produce(1);
            Order.await("read");
            producer.produce(2);
        });
        thread.start();
        int[] taken = producer.queue.take();
        int value = taken[0];
        Order.reach("read");
        thread.join();
        System.out.println(value == 1 ? "ok" : "wrong value");
    }
}
