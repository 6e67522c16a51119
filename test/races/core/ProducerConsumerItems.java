/**
 * Right: the items of a buffer are filled before they are put in and changed after they are taken out, without a lock.
 */
public class ProducerConsumerItems {
    static class Item {
        int number;
        final int[] cells = new int[2];
    }

    private final Item[] slots = new Item[3];
    private int count;

    synchronized void put(Item item) throws InterruptedException {
        while (count == slots.length) {
            wait();
        }
        slots[count++] = item;
        notifyAll();
    }

    synchronized Item take() throws InterruptedException {
        while (count == 0) {
            wait();
        }
        Item item = slots[--count];
        slots[count] = null;
        notifyAll();
        return item;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ProducerConsumerItems buffer = new ProducerConsumerItems();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    Item item = new Item();
                    item.number = i;
                    item.cells[1] = i;
                    buffer.put(item);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            Item item = buffer.take();
            item.number++;
            item.cells[1]++;
            sum += item.number + item.cells[1];
        }
        producer.join();
        System.out.println(sum == 2550 ? "ok" : "lost an item");
    }
}
