import java.util.concurrent.locks.ReentrantLock;

/** Right: a message is filled by one thread, left in a slot under a lock, and used by the other thread alone. */
public class LockHandsOver {
    static class Message {
        int number;
        String text;
    }

    static final ReentrantLock lock = new ReentrantLock();
    static Message slot;

    static boolean leave(Message message) {
        lock.lock();
        try {
            if (slot != null) {
                return false;
            }
            slot = message;
            return true;
        } finally {
            lock.unlock();
        }
    }

    static Message fetch() {
        lock.lock();
        try {
            Message message = slot;
            slot = null;
            return message;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                Message message = new Message();
                message.number = i;
                message.text = "number " + i;
                while (!leave(message)) {
                    Thread.yield();
                }
            }
        });
        Thread reader = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                Message message;
                while ((message = fetch()) == null) {
                    Thread.yield();
                }
                message.number++;
                if (message.number != i + 1 || !message.text.equals("number " + i)) {
                    throw new AssertionError(message.text);
                }
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
