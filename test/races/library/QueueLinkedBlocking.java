import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Right: hand-over by offer() and the timed poll() of a LinkedBlockingQueue, ended by an empty message. */
public class QueueLinkedBlocking {
    static class Message {
        String text;
        int uses;
    }

    static final BlockingQueue<Message> queue = new LinkedBlockingQueue<>();
    static int length;

    public static void main(String[] arguments) throws Exception {
        Thread consumer = new Thread(() -> {
            try {
                while (true) {
                    Message message = queue.poll(1, TimeUnit.MINUTES);
                    if (message.text.isEmpty()) {
                        return;
                    }
                    message.uses++;
                    length += message.text.length();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        consumer.start();
        for (int i = 0; i <= 50; i++) {
            Message message = new Message();
            message.text = i < 50 ? "text" : "";
            message.uses = 1;
            if (!queue.offer(message)) {
                throw new AssertionError("full");
            }
        }
        consumer.join();
        if (length != 200) {
            throw new AssertionError(length);
        }
        System.out.println("ok");
    }
}
