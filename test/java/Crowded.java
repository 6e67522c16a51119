import java.util.concurrent.ConcurrentLinkedQueue;

/** More elements go through a collection than there is room for names of what orders threads. */
public class Crowded {
    private static final int ELEMENTS = 200_000;

    public static void main(String[] arguments) {
        ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < ELEMENTS; i++) {
            queue.add(new Object());
        }
    }
}
