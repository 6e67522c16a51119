import net.jcip.annotations.GuardedBy;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Library methods that call what they are given before they return: the locks stay held. */
final class RunAtOnce {
    @GuardedBy("this") private int total;

    @GuardedBy("this")
    private void add(int number) {
        total += number; // silent
    }

    @GuardedBy("this")
    private boolean isLarge(int number) {
        return number > total; // silent
    }

    synchronized void forEach(List<Integer> numbers) {
        numbers.forEach(number -> total += number); // silent
        numbers.forEach(number -> {
            total++; // silent
            add(number); // silent
        });
    }

    void forEachWithout(List<Integer> numbers) {
        numbers.forEach(number -> total += number); // expect: guard-not-held
        numbers.forEach(number -> add(number)); // expect: requires-not-held
        numbers.forEach(number -> { synchronized (this) { total += number; } }); // silent
    }

    synchronized void removeIf(Collection<Integer> numbers) {
        numbers.removeIf(number -> number > total); // silent
        numbers.removeIf(number -> isLarge(number)); // silent
    }

    void removeIfWithout(Collection<Integer> numbers) {
        numbers.removeIf(number -> number > total); // expect: guard-not-held
        numbers.removeIf(number -> isLarge(number)); // expect: requires-not-held
    }

    synchronized int computeIfAbsent(Map<String, Integer> map) {
        return map.computeIfAbsent("key", key -> total++); // silent
    }

    int computeIfAbsentWithout(Map<String, Integer> map) {
        return map.computeIfAbsent("key", key -> total++); // expect: guard-not-held
    }

    void partly(List<Integer> numbers) {
        synchronized (this) {
            numbers.forEach(number -> total += number); // silent
        }
        numbers.forEach(number -> total -= number); // expect: guard-not-held
    }

    @GuardedBy("this")
    void required(Map<String, Integer> map) {
        map.forEach((key, number) -> total += number); // silent: our caller holds it
    }

    synchronized void laterInside(List<Integer> numbers, List<Runnable> tasks) {
        numbers.forEach(number -> tasks.add(() -> total += number)); // expect: guard-not-held; the inner one runs later
    }

    static void ofParameter(RunAtOnce one, List<Integer> numbers) {
        synchronized (one) {
            numbers.forEach(number -> one.total += number); // silent
        }
        numbers.forEach(number -> one.total += number); // expect: guard-not-held
    }

    synchronized void wrongObject(RunAtOnce other, List<Integer> numbers) {
        numbers.forEach(number -> other.total += number); // expect: guard-not-held
    }
}
