import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Right: offer() comes before the poll() that gets the element. */
public class QueueConcurrentLinked {
    static class Message {
        int number;
    }

    static final Queue<Message> queue = new ConcurrentLinkedQueue<>();

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                Message message = new Message();
                message.number = i;
                queue.offer(message);
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 100;) {
            Message message = queue.poll();
            if (message == null) {
                Thread.yield();
                continue;
            }
            message.number++;
            sum += message.number;
            i++;
        }
        producer.join();
        if (sum != 5050) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
