import quiet.Order;
import quiet.Threads;

/**
 * Right: what waits and what notifies stands in methods of its own, called with the lock held and only if there is
 * need. In this run there is none.
 */
public class HandOverInCalledMethod {
    static class Item {
        int number;
    }

    private final Object monitor = new Object();
    private Item slot;
    private int waiting;

    void put(Item item) {
        synchronized (monitor) {
            while (slot != null) {
                await();
            }
            slot = item;
            if (waiting > 0) {
                wake();
            }
        }
    }

    Item take() {
        synchronized (monitor) {
            while (slot == null) {
                await();
            }
            Item item = slot;
            slot = null;
            if (waiting > 0) {
                wake();
            }
            return item;
        }
    }

    private void await() {
        waiting++;
        pause();
        waiting--;
    }

    private void pause() {
        try {
            monitor.wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void wake() {
        monitor.notifyAll();
    }

    public static void main(String[] arguments) {
        HandOverInCalledMethod shared = new HandOverInCalledMethod();
        Item made = new Item();
        made.number = 1;
        Threads.together(() -> {
            made.number++;
            shared.put(made);
            Order.reach("full");
        }, () -> {
            Order.await("full");
            shared.take().number++;
        });
        System.out.println(made.number == 3 ? "ok" : "wrong number");
    }
}
