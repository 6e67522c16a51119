import quiet.Order;

/** Wrong: the producer puts an item into the buffer and changes it afterwards, while the consumer reads it. */
public class ProducerKeepsItem {
    static class Item {
        int number;
    }

    private Item slot;

    synchronized void put(Item item) {
        slot = item;
        notify();
    }

    synchronized Item take() throws InterruptedException {
        while (slot == null) {
            wait();
        }
        return slot;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ProducerKeepsItem buffer = new ProducerKeepsItem();
        Thread producer = new Thread(() -> {
            Item item = new Item();
            item.number = 1;
            buffer.put(item);
            Order.await("read");
            item.number = 2; //! race observed ProducerKeepsItem$Item.number
        });
        producer.start();
        Item item = buffer.take();
        int seen = item.number; //! race observed ProducerKeepsItem$Item.number
        Order.reach("read");
        producer.join();
        System.out.println(seen == 1 ? "ok" : "another item");
    }
}
