import java.util.ArrayDeque;

/**
 * Objects that two threads share, under the objects' own locks, and that die soon after: made by one thread, handed
 * over, changed by both.
 *
 *     ShortLived [OBJECTS]
 */
public class ShortLived {
    static final class Item {
        private int changes;
        private long sum;
        private int[] marks = new int[2];

        synchronized void change(int by) {
            changes++;
            sum += by;
            marks[by & 1]++;
        }

        synchronized long sum() {
            return sum + changes + marks[0] * 3L + marks[1];
        }
    }

    static final class Exchange {
        private final ArrayDeque<Item[]> waiting = new ArrayDeque<>();

        synchronized void put(Item[] items) throws InterruptedException {
            while (waiting.size() >= 4) {
                wait();
            }
            waiting.add(items);
            notifyAll();
        }

        synchronized Item[] take() throws InterruptedException {
            while (waiting.isEmpty()) {
                wait();
            }
            notifyAll();
            return waiting.remove();
        }
    }

    private static final int BATCH = 1000;

    public static void main(String[] arguments) throws InterruptedException {
        int batches = (arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000_000) / BATCH;
        Exchange there = new Exchange();
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < batches; i++) {
                    Item[] items = there.take();
                    for (Item item : items) {
                        item.change(i + 1);
                    }
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        long sum = 0;
        Item[] before = new Item[0];
        for (int i = 0; i < batches; i++) {
            Item[] items = new Item[BATCH];
            for (int j = 0; j < BATCH; j++) {
                items[j] = new Item();
                items[j].change(j);
            }
            there.put(items);
            /* Both are at work on the same objects now. */
            for (Item item : items) {
                item.change(1);
            }
            for (Item item : before) {
                sum += item.sum() & 1;
            }
            before = items;
            if (i == batches / 10) {
                Status.report("tenth");
            }
        }
        other.join();
        long last = 0;
        for (Item item : before) {
            last += item.sum();
        }
        System.out.println("objects " + (long) batches * BATCH + ", last " + last + ", " + (sum >= 0));
        Status.end();
    }
}
