import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/**
 * Wrong, as far as can be told: an item comes through a slot with a lock, but who comes too early does not await it.
 * That there are methods with a condition of that lock makes no difference.
 */
public class HandOverMereReentrantLock {
    static class Item {
        int number;
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition full = lock.newCondition();
    private Item slot;

    void put(Item item) {
        lock.lock();
        try {
            slot = item;
        } finally {
            lock.unlock();
        }
    }

    Item take() {
        lock.lock();
        try {
            return slot;
        } finally {
            lock.unlock();
        }
    }

    Item await() {
        lock.lock();
        try {
            while (slot == null) {
                full.awaitUninterruptibly();
            }
            return slot;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] arguments) {
        HandOverMereReentrantLock shared = new HandOverMereReentrantLock();
        Item made = new Item();
        made.number = 1;
        Threads.inTurn(() -> {
            made.number++; //! race predicted HandOverMereReentrantLock$Item.number
            shared.put(made);
        }, () -> {
            if (shared.await() == shared.take()) {
                made.number++; //! race predicted HandOverMereReentrantLock$Item.number
            }
        });
        System.out.println(made.number == 3 ? "ok" : "wrong number");
    }
}
