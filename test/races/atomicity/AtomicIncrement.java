import java.util.concurrent.atomic.AtomicInteger;
import quiet.Threads;

/** Right: one step. */
public class AtomicIncrement {
    private static final AtomicInteger counter = new AtomicInteger();

    public static int increment() {
        return counter.incrementAndGet();
    }

    static void work() {
        for (int i = 0; i < 50; i++) {
            increment();
        }
    }

    public static void main(String[] arguments) {
        Threads.together(AtomicIncrement::work, AtomicIncrement::work);
        System.out.println(counter.get() == 100 ? "ok" : "lost");
    }
}
