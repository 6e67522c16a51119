//! needs: 21
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Right: messages go from a virtual thread to a platform thread and back through queues. */
public class VirtualQueue {
    static class Message {
        int number;
    }

    static final BlockingQueue<Message> there = new ArrayBlockingQueue<>(2);
    static final BlockingQueue<Message> back = new ArrayBlockingQueue<>(2);

    public static void main(String[] arguments) throws Exception {
        Thread echo = Thread.startVirtualThread(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    Message message = there.take();
                    message.number++;
                    back.put(message);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            Message message = new Message();
            message.number = i;
            there.put(message);
            Message answer = back.take();
            answer.number++;
            sum += answer.number;
        }
        echo.join();
        if (sum != 1325) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
