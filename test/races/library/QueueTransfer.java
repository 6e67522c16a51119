import java.util.concurrent.LinkedTransferQueue;

/** Right: hand-over by put() and transfer() of a LinkedTransferQueue. */
public class QueueTransfer {
    static class Message {
        int number;
    }

    static final LinkedTransferQueue<Message> queue = new LinkedTransferQueue<>();

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    Message message = new Message();
                    message.number = i;
                    if (i % 2 == 0) {
                        queue.put(message);
                    } else {
                        queue.transfer(message);
                    }
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
