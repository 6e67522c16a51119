import net.jcip.annotations.GuardedBy;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** A method reference is a lambda that only calls: what the method requires, the caller must hold. */
final class MethodReferences {
    @GuardedBy("this") private int count;
    @GuardedBy("MethodReferences.class") private static int total;

    @GuardedBy("this")
    void increment() {
        count++; // silent
    }

    @GuardedBy("this")
    void add(int number) {
        count += number; // silent
    }

    @GuardedBy("MethodReferences.class")
    static void addTotal(int number) {
        total += number; // silent
    }

    synchronized int get() {
        return count; // silent
    }

    synchronized void later(ExecutorService pool) {
        pool.execute(this::increment); // expect: requires-not-held
        Runnable task = this::increment; // expect: requires-not-held
        Supplier<Integer> getter = this::get; // silent: it takes the lock itself
        pool.submit(this::get); // silent
        pool.execute(task);
    }

    synchronized void atOnce(List<Integer> numbers) {
        numbers.forEach(this::add); // silent
        numbers.forEach(MethodReferences::addTotal); // expect: requires-not-held
    }

    void atOnceWithout(List<Integer> numbers, MethodReferences other) {
        numbers.forEach(this::add); // expect: requires-not-held
        synchronized (MethodReferences.class) {
            numbers.forEach(MethodReferences::addTotal); // silent
            numbers.forEach(other::add); // expect: requires-not-held
        }
        synchronized (other) {
            numbers.forEach(other::add); // silent
        }
    }
}
