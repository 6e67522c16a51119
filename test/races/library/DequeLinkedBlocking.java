import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** Right: hand-over at both ends of a LinkedBlockingDeque. */
public class DequeLinkedBlocking {
    static class Message {
        int number;
    }

    static final BlockingDeque<Message> deque = new LinkedBlockingDeque<>(8);

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    Message message = new Message();
                    message.number = i;
                    if (i % 2 == 0) {
                        deque.putFirst(message);
                    } else {
                        deque.putLast(message);
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            Message message = i % 3 == 0 ? deque.takeFirst() : deque.takeLast();
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
