import net.jcip.annotations.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** `itself`: what the field refers to is used with its own lock held. Taking that lock reads the field. */
final class GuardItself {
    @GuardedBy("itself") private final List<String> names = new ArrayList<>();
    @GuardedBy("itself") private final Map<String, Integer> counts = new HashMap<>();
    @GuardedBy("itself") private static final int[] NUMBERS = new int[10];
    @GuardedBy("itself") private final Cell cell = new Cell();

    static final class Cell {
        int value; // whoever has the cell asks for its lock
    }

    void right(String name) {
        synchronized (names) { // silent
            names.add(name); // silent
        }
        synchronized (counts) { // silent
            counts.put(name, 1); // silent
        }
        synchronized (NUMBERS) { // silent
            NUMBERS[0]++; // silent
        }
        synchronized (cell) { // silent
            cell.value++; // silent
        }
    }

    void wrong(String name) {
        names.add(name); // expect: guard-not-held
        counts.put(name, 2); // expect: guard-not-held
        NUMBERS[1] = 3; // expect: guard-not-held
    }

    synchronized void objectInstead(String name) {
        names.remove(name); // expect: guard-not-held
        int number = NUMBERS[2]; // expect: guard-not-held
    }

    void exchanged(String name) {
        synchronized (names) {
            counts.remove(name); // expect: guard-not-held
        }
        synchronized (counts) {
            names.clear(); // expect: guard-not-held
        }
    }

    int copied() {
        List<String> list = names; // silent: only the reference is taken
        synchronized (list) {
            return list.size(); // silent
        }
    }
}
