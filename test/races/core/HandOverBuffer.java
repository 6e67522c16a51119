import quiet.Threads;

/** Right: a bounded buffer with two who put and two who take, and items that come around again. */
public class HandOverBuffer {
    static class Item {
        int uses;
        final int[] marks = new int[4];
    }

    private final Item[] ring = new Item[2];
    private int first;
    private int count;

    public synchronized void put(Item item) {
        while (count == ring.length) {
            pause();
        }
        ring[(first + count++) % ring.length] = item;
        if (count == 1) {
            notifyAll();
        }
    }

    public synchronized Item take() {
        while (count == 0) {
            pause();
        }
        Item item = ring[first];
        ring[first] = null;
        first = (first + 1) % ring.length;
        if (count-- == ring.length) {
            notifyAll();
        }
        return item;
    }

    private void pause() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pass(HandOverBuffer from, HandOverBuffer to, int times) {
        for (int i = 0; i < times; i++) {
            Item item = from.take();
            item.uses++;
            item.marks[i % 4]++;
            to.put(item);
        }
    }

    public static void main(String[] arguments) {
        HandOverBuffer left = new HandOverBuffer();
        HandOverBuffer right = new HandOverBuffer();
        Item one = new Item();
        Item two = new Item();
        one.uses = 1;
        two.uses = 1;
        left.put(one);
        left.put(two);
        Threads.together(() -> pass(left, right, 25), () -> pass(left, right, 25), () -> pass(right, left, 25),
                () -> pass(right, left, 25));
        System.out.println(one.uses + two.uses == 102 ? "ok" : "lost a use");
    }
}
