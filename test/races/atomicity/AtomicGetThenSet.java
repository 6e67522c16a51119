import java.util.concurrent.atomic.AtomicInteger;
import quiet.Threads;

/** Wrong: each access is one step, but what others do between get() and set() is lost. */
public class AtomicGetThenSet {
    private static final AtomicInteger counter = new AtomicInteger();

    public static void increment() {
        int before = counter.get();
        counter.set(before + 1); //! atomicity predicted AtomicGetThenSet.increment
    }

    public static void main(String[] arguments) {
        Threads.inTurn(AtomicGetThenSet::increment, AtomicGetThenSet::increment);
        System.out.println(counter.get() == 2 ? "ok" : "lost");
    }
}
