import quiet.Order;
import quiet.Threads;

/**
 * Right: what is put into a slot is filled before and changed after it was taken, without a lock. Who comes too early
 * waits; in the second round the slot is full already, and nobody has to.
 */
public class HandOverSlot {
    static class Item {
        int number;
    }

    private final Object monitor = new Object();
    private Item slot;

    void put(Item item) throws InterruptedException {
        synchronized (monitor) {
            while (slot != null) {
                monitor.wait();
            }
            slot = item;
            monitor.notifyAll();
        }
    }

    Item take(String early) throws InterruptedException {
        synchronized (monitor) {
            while (slot == null) {
                Order.reach(early);
                monitor.wait();
            }
            Item item = slot;
            slot = null;
            monitor.notify();
            return item;
        }
    }

    static void round(boolean early, String name) {
        HandOverSlot shared = new HandOverSlot();
        Item made = new Item();
        made.number = 1;
        Threads.together(() -> {
            try {
                made.number++;
                if (early) {
                    Order.await(name);
                }
                shared.put(made);
                Order.reach(name);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, () -> {
            try {
                if (!early) {
                    Order.await(name);
                }
                shared.take(name).number++;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        if (made.number != 3) {
            throw new IllegalStateException(name);
        }
    }

    public static void main(String[] arguments) {
        round(true, "waits");
        round(false, "finds it full");
        System.out.println("ok");
    }
}
