import java.util.concurrent.ConcurrentLinkedQueue;
import quiet.Order;

/** Wrong: the consumer has polled the message, and the producer still writes it. */
public class QueueConcurrentLinkedKept {
    static class Message {
        int number;
    }

    static final ConcurrentLinkedQueue<Message> queue = new ConcurrentLinkedQueue<>();

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            Message message = new Message();
            message.number = 1;
            queue.add(message);
            Order.reach("added");
            Order.await("changed");
            message.number = 2; //! race observed QueueConcurrentLinkedKept$Message.number
        });
        producer.start();
        Order.await("added");
        Message message = queue.poll();
        message.number++;
        Order.reach("changed");
        producer.join();
        System.out.println("ok");
    }
}
