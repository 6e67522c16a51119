import quiet.Order;

/**
 * Wrong: an item is changed after it was handed over, in code that seldom runs, after code that has filled so many items
 * that not all of its accesses are noted any more. In this run it happens before the item is read.
 */
public class ChangedInSeldomCode {
    static class Item {
        int number;
    }

    private static final Object LOCK = new Object();
    private static final int ITEMS = 100_000;
    private static Item slot;

    static void fill(Item item, int number) {
        synchronized (LOCK) {
            item.number += number;
        }
    }

    static void put(Item item) {
        synchronized (LOCK) {
            slot = item;
        }
    }

    static void correct(Item item) {
        item.number = -1; //! race observed ChangedInSeldomCode$Item.number
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread maker = new Thread(() -> {
            Item item = null;
            for (int i = 0; i < ITEMS; i++) {
                item = new Item();
                fill(item, i);
                fill(item, 1);
            }
            put(item);
            Order.reach("put");
            Order.await("taken");
            correct(item);
            Order.reach("corrected");
        });
        int[] seen = new int[1];
        Thread user = new Thread(() -> {
            Order.await("put");
            Item item;
            synchronized (LOCK) {
                item = slot;
            }
            Order.reach("taken");
            Order.await("corrected");
            seen[0] = item.number; //! race observed ChangedInSeldomCode$Item.number
        });
        maker.start();
        user.start();
        maker.join();
        user.join();
        System.out.println(seen[0] == -1 ? "ok" : "another number");
    }
}
