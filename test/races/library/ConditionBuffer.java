import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Right: a bounded buffer with two conditions; await() gives the lock up and has it again after. */
public class ConditionBuffer {
    static class Item {
        int value;
    }

    static class Buffer {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition notFull = lock.newCondition();
        private final Condition notEmpty = lock.newCondition();
        private final Item[] items = new Item[4];
        private int head;
        private int count;

        void put(Item item) {
            lock.lock();
            try {
                while (count == items.length) {
                    notFull.awaitUninterruptibly();
                }
                items[(head + count) % items.length] = item;
                count++;
                notEmpty.signal();
            } finally {
                lock.unlock();
            }
        }

        Item take() throws InterruptedException {
            lock.lock();
            try {
                while (count == 0) {
                    notEmpty.await();
                }
                Item item = items[head];
                head = (head + 1) % items.length;
                count--;
                notFull.signal();
                return item;
            } finally {
                lock.unlock();
            }
        }
    }

    static int sum;

    public static void main(String[] arguments) throws Exception {
        Buffer buffer = new Buffer();
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                Item item = new Item();
                item.value = i;
                buffer.put(item);
            }
        });
        Thread consumer = new Thread(() -> {
            try {
                for (int i = 0; i < 100; i++) {
                    sum += buffer.take().value;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        consumer.start();
        producer.join();
        consumer.join();
        if (sum != 4950) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
