import quiet.Order;
import quiet.Threads;

/**
 * Wrong: an item passes through a slot with a lock, but who finds none does not wait: in another run both threads may use
 * the one that was there before. So blocks that use it without a lock are not atomic.
 */
public class MereLockItem {
    static class Item {
        private int first;

        public void grow() {
            first++; //! atomicity predicted MereLockItem$Item.grow
        }
    }

    private Item slot = new Item();

    private synchronized void put(Item item) {
        slot = item;
    }

    private synchronized Item get() {
        return slot;
    }

    public static void main(String[] arguments) {
        MereLockItem shared = new MereLockItem();
        Threads.together(() -> {
            Item item = shared.get();
            item.grow();
            shared.put(item);
            Order.reach("put");
        }, () -> {
            Order.await("put");
            shared.get().grow();
        });
        System.out.println(shared.get().first == 2 ? "ok" : "wrong");
    }
}
