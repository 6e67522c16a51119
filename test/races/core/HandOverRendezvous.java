import quiet.Order;
import quiet.Threads;

/**
 * Right: who puts an item waits until it was taken; so it lets go of the lock by waiting. Nobody had to be notified
 * before.
 */
public class HandOverRendezvous {
    static class Item {
        int number;
    }

    private Item slot;
    private boolean sleeps;

    synchronized void give(Item item) throws InterruptedException {
        slot = item;
        if (sleeps) {
            notify();
        }
        while (slot != null) {
            sleeps = true;
            Order.reach("given");
            wait();
        }
    }

    synchronized Item take() throws InterruptedException {
        while (slot == null) {
            wait();
        }
        Item item = slot;
        item.number++;
        slot = null;
        if (sleeps) {
            notify();
        }
        return item;
    }

    public static void main(String[] arguments) {
        HandOverRendezvous shared = new HandOverRendezvous();
        Item made = new Item();
        made.number = 1;
        Threads.together(() -> {
            try {
                made.number++;
                shared.give(made);
                made.number++;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, () -> {
            Order.await("given");
            try {
                shared.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println(made.number == 4 ? "ok" : "wrong number");
    }
}
