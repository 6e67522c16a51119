import java.util.concurrent.atomic.AtomicInteger;
import quiet.Threads;

/** Wrong: who reads both counters can see one of them incremented only. */
public class AtomicTwoCounters {
    private static final AtomicInteger calls = new AtomicInteger();
    private static final AtomicInteger bytes = new AtomicInteger();

    public static void add(int count) {
        calls.incrementAndGet();
        bytes.addAndGet(count); //! atomicity predicted AtomicTwoCounters.add
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> add(5), () -> add(7));
        System.out.println(bytes.get() == 12 && calls.get() == 2 ? "ok" : "lost");
    }
}
