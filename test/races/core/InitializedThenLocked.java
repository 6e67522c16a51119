import quiet.Order;

/**
 * Right: one thread fills an object without a lock, then publishes it under a lock; the other takes it under the lock
 * and has it for itself. The lock hands the object over, as it does in every hand-written queue.
 */
public class InitializedThenLocked {
    static class Message {
        int number;
        String text;
    }

    private static final Object LOCK = new Object();
    private static Message box;

    public static void main(String[] arguments) throws InterruptedException {
        Thread sender = new Thread(() -> {
            Message message = new Message();
            message.number = 1;
            message.text = "one";
            synchronized (LOCK) {
                box = message;
            }
            Order.reach("sent");
        });
        Thread receiver = new Thread(() -> {
            Order.await("sent");
            Message message;
            synchronized (LOCK) {
                message = box;
            }
            message.number++;
            message.text = message.text + " more";
        });
        sender.start();
        receiver.start();
        sender.join();
        receiver.join();
        System.out.println("ok");
    }
}
