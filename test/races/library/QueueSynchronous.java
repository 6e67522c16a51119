import java.util.concurrent.SynchronousQueue;

/** Right: hand-over from hand to hand by a SynchronousQueue. */
public class QueueSynchronous {
    static class Message {
        int number;
    }

    static final SynchronousQueue<Message> queue = new SynchronousQueue<>();

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    Message message = new Message();
                    message.number = i;
                    queue.put(message);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            Message message = queue.take();
            message.number++;
            sum += message.number;
        }
        producer.join();
        if (sum != 1275) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
