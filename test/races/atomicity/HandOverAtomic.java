import quiet.Order;
import quiet.Threads;

/**
 * Right: each section waits, changes, notifies if there is need, and is one step. The items have no lock and need
 * none.
 */
public class HandOverAtomic {
    static class Item {
        int number;
    }

    private Item slot;
    private int waiting;

    public synchronized void put(Item item) {
        while (slot != null) {
            pause();
        }
        slot = item;
        if (waiting > 0) {
            notifyAll();
        }
    }

    public synchronized Item take() {
        while (slot == null) {
            pause();
        }
        Item item = slot;
        slot = null;
        if (waiting > 0) {
            notifyAll();
        }
        return item;
    }

    private void pause() {
        waiting++;
        try {
            wait();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        waiting--;
    }

    public static void main(String[] arguments) {
        HandOverAtomic shared = new HandOverAtomic();
        Item one = new Item();
        one.number = 1;
        Threads.together(() -> {
            one.number++;
            shared.put(one);
            Order.reach("full");
            shared.put(one);
        }, () -> {
            Order.await("full");
            shared.take().number++;
            shared.take();
        });
        System.out.println(one.number == 3 ? "ok" : "wrong number");
    }
}
