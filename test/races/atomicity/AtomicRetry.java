import java.util.concurrent.atomic.AtomicInteger;
import quiet.Threads;

/**
 * A false alarm that belongs to the method: reduction sees two steps that do not move, and cannot know that the second
 * one fails if somebody came between.
 */
public class AtomicRetry {
    private static final AtomicInteger counter = new AtomicInteger();

    public static void increment() {
        int before;
        do {
            before = counter.get();
        } while (!counter.compareAndSet(before, before + 1)); //! atomicity predicted AtomicRetry.increment
    }

    public static void main(String[] arguments) {
        Threads.inTurn(AtomicRetry::increment, AtomicRetry::increment);
        System.out.println(counter.get() == 2 ? "ok" : "lost");
    }
}
