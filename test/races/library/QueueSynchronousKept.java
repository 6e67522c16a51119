import java.util.concurrent.SynchronousQueue;
import quiet.Order;

/** Wrong: the producer writes the message once more when put() has come back, while the consumer has it. */
public class QueueSynchronousKept {
    static class Message {
        int number;
    }

    static final SynchronousQueue<Message> queue = new SynchronousQueue<>();

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            try {
                Message message = new Message();
                message.number = 1;
                queue.put(message);
                message.number = 2;
                Order.reach("written");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        Message message = queue.take();
        Order.await("written");
        int number = message.number; //! race observed QueueSynchronousKept$Message.number
        producer.join();
        System.out.println(number == 2 ? "ok" : "wrong number");
    }
}
