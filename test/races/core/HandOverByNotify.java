import quiet.Order;
import quiet.Threads;

/** Right: who waits is woken by a method that takes no lock itself, of a class that knows nothing of the slot. */
public class HandOverByNotify {
    static class Bell {
        static void ring(Object monitor) {
            monitor.notifyAll();
        }

        static void rest(Object monitor) throws InterruptedException {
            monitor.wait();
        }
    }

    static class Item {
        int number;
    }

    private Item slot;

    void put(Item item) {
        synchronized (this) {
            slot = item;
            Bell.ring(this);
        }
    }

    Item take() throws InterruptedException {
        synchronized (this) {
            while (slot == null) {
                Order.reach("empty");
                Bell.rest(this);
            }
            return slot;
        }
    }

    public static void main(String[] arguments) {
        HandOverByNotify shared = new HandOverByNotify();
        Item made = new Item();
        made.number = 1;
        Threads.together(() -> {
            made.number++;
            Order.await("empty");
            shared.put(made);
        }, () -> {
            try {
                shared.take().number++;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println(made.number == 3 ? "ok" : "wrong number");
    }
}
