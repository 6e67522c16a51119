import quiet.Order;
import quiet.Threads;

/**
 * Wrong: an item is changed after it was handed over. In this run something else, which has to do with another lock,
 * happens to order that before it is read.
 */
public class HandOverThenChanged {
    static class Item {
        int number;
    }

    private static final Object OTHER = new Object();
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

    static void somethingElse() {
        synchronized (OTHER) {
        }
    }

    public static void main(String[] arguments) {
        HandOverThenChanged shared = new HandOverThenChanged();
        Item made = new Item();
        made.number = 1;
        int[] seen = new int[1];
        Threads.together(() -> {
            shared.put(made);
            made.number = 2; //! race predicted HandOverThenChanged$Item.number
            somethingElse();
            Order.reach("changed");
        }, () -> {
            Order.await("changed");
            somethingElse();
            try {
                seen[0] = shared.take().number; //! race predicted HandOverThenChanged$Item.number
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println(seen[0] == 2 ? "ok" : "another number");
    }
}
