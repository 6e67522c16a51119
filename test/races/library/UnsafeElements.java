import quiet.Memory;
import sun.misc.Unsafe;

/** Right: a ring of messages from one thread to another, element by element, as queues without locks have it. */
public class UnsafeElements {
    static class Message {
        int content;
    }

    static final Unsafe UNSAFE = Memory.UNSAFE;
    static final long BASE = Unsafe.ARRAY_OBJECT_BASE_OFFSET;
    static final long SCALE = Unsafe.ARRAY_OBJECT_INDEX_SCALE;

    static final Message[] ring = new Message[8];
    static final int COUNT = 100;

    static long offset(int number) {
        return BASE + number % ring.length * SCALE;
    }

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            for (int i = 0; i < COUNT; i++) {
                while (UNSAFE.getObjectVolatile(ring, offset(i)) != null) {
                    Thread.yield();
                }
                Message message = new Message();
                message.content = i;
                UNSAFE.putOrderedObject(ring, offset(i), message);
            }
        });
        Thread reader = new Thread(() -> {
            for (int i = 0; i < COUNT; i++) {
                Message message;
                while ((message = (Message) UNSAFE.getAndSetObject(ring, offset(i), null)) == null) {
                    Thread.yield();
                }
                if (message.content != i) {
                    throw new AssertionError();
                }
                message.content = -1;
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
