import quiet.Order;
import quiet.Threads;

/**
 * Right: an item belongs to whoever took it, so blocks that use it without a lock are atomic. It passes through a monitor
 * that is waited for, and comes before others can use it in every run.
 */
public class HandOverItem {
    static class Item {
        private int first;
        private int second;

        public void grow() {
            first++;
            second += first;
        }
    }

    private Item slot;

    private synchronized void put(Item item) {
        slot = item;
        notifyAll();
    }

    private synchronized Item take() {
        while (slot == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        Item item = slot;
        slot = null;
        return item;
    }

    public static void main(String[] arguments) {
        HandOverItem there = new HandOverItem();
        HandOverItem back = new HandOverItem();
        Item[] last = new Item[1];
        Threads.together(() -> {
            Item item = new Item();
            item.grow();
            there.put(item);
            Order.reach("put");
            last[0] = back.take();
            last[0].grow();
        }, () -> {
            Order.await("put");
            Item item = there.take();
            item.grow();
            back.put(item);
        });
        System.out.println(last[0].second == 6 ? "ok" : "wrong");
    }
}
