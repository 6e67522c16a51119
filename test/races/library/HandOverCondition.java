import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;
import quiet.Threads;

/**
 * Right: a slot with a lock and conditions. Who comes too early awaits; in the second round the slot is full already,
 * and nobody has to, nor is there anybody to signal to.
 */
public class HandOverCondition {
    static class Item {
        int number;
    }

    private final Lock lock = new ReentrantLock();
    private final Condition full = lock.newCondition();
    private final Condition empty = lock.newCondition();
    private Item slot;
    private int waiting;

    void put(Item item) {
        lock.lock();
        try {
            while (slot != null) {
                empty.awaitUninterruptibly();
            }
            slot = item;
            if (waiting > 0) {
                full.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    Item take(String early) {
        lock.lock();
        try {
            while (slot == null) {
                waiting++;
                Order.reach(early);
                full.awaitUninterruptibly();
                waiting--;
            }
            Item item = slot;
            slot = null;
            empty.signalAll();
            return item;
        } finally {
            lock.unlock();
        }
    }

    static void round(boolean early, String name) {
        HandOverCondition shared = new HandOverCondition();
        Item made = new Item();
        made.number = 1;
        Threads.together(() -> {
            made.number++;
            if (early) {
                Order.await(name);
            }
            shared.put(made);
            Order.reach(name);
        }, () -> {
            if (!early) {
                Order.await(name);
            }
            shared.take(name).number++;
        });
        if (made.number != 3) {
            throw new IllegalStateException(name);
        }
    }

    public static void main(String[] arguments) {
        round(true, "awaits");
        round(false, "finds it full");
        System.out.println("ok");
    }
}
