import quiet.Order;
import quiet.Threads;

/**
 * Wrong, as far as can be told: an item comes through a slot with a lock, but who comes too early does not wait. In
 * another run it finds something else there. Neither method alone makes a hand-over: one of them waits but nobody
 * would wake it, another notifies but nobody waits.
 */
public class HandOverMereLock {
    static class Item {
        int plain;
        int unwoken;
        int unawaited;
    }

    private Item slot;

    synchronized void put(Item item) {
        slot = item;
    }

    synchronized Item take() {
        Item item = slot;
        slot = null;
        return item;
    }

    synchronized Item await() throws InterruptedException {
        while (slot == null) {
            wait(1);
        }
        return take();
    }

    synchronized void announce(Item item) {
        slot = item;
        notifyAll();
    }

    public static void main(String[] arguments) {
        HandOverMereLock plain = new HandOverMereLock();
        HandOverMereLock unwoken = new HandOverMereLock();
        HandOverMereLock unawaited = new HandOverMereLock();
        Item made = new Item();
        made.plain = 1;
        made.unwoken = 1;
        made.unawaited = 1;
        Threads.inTurn(() -> {
            made.plain++; //! race predicted HandOverMereLock$Item.plain
            plain.put(made);
            made.unwoken++; //! race predicted HandOverMereLock$Item.unwoken
            unwoken.put(made);
            made.unawaited++; //! race predicted HandOverMereLock$Item.unawaited
            unawaited.announce(made);
        }, () -> {
            try {
                plain.take().plain++; //! race predicted HandOverMereLock$Item.plain
                unwoken.await().unwoken++; //! race predicted HandOverMereLock$Item.unwoken
                unawaited.take().unawaited++; //! race predicted HandOverMereLock$Item.unawaited
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println(made.plain + made.unwoken + made.unawaited == 9 ? "ok" : "lost");
    }
}
