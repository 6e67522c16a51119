import net.jcip.annotations.GuardedBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** What is in a guarded collection or array is also touched by whoever gets it as an argument. */
final class ContentsPassed {
    private final Object lock = new Object();
    @GuardedBy("lock") private final List<String> list = new ArrayList<>();
    @GuardedBy("lock") private final int[] array = new int[10];
    @GuardedBy("lock") private final int[][] rows = new int[2][2];
    @GuardedBy("lock") private final BitSet bits = new BitSet();
    @GuardedBy("lock") private final StringBuilder text = new StringBuilder();
    @GuardedBy("lock") private final ConcurrentSkipListSet<String> safe = new ConcurrentSkipListSet<>();
    @GuardedBy("lock") private Set<String> names = new ConcurrentSkipListSet<>();

    List<String> copy() {
        return new ArrayList<>(list); // expect: guard-not-held
    }

    void sort() {
        Collections.sort(list); // expect: guard-not-held
    }

    boolean add(List<String> to) {
        return to.addAll(list); // expect: guard-not-held
    }

    void fill() {
        Arrays.fill(array, 0); // expect: guard-not-held
        Arrays.fill(rows[1], 0); // expect: guard-not-held
    }

    void move(int[] to) {
        System.arraycopy(array, 0, array, 1, 9); // expect: guard-not-held
        System.arraycopy(array, 0, to, 0, 9); // expect: guard-not-held
        System.arraycopy(to, 0, array, 0, 9); // expect: guard-not-held
    }

    int[] duplicate() {
        return array.clone(); // expect: guard-not-held
    }

    Object bits() {
        return bits.clone(); // expect: guard-not-held
    }

    boolean both(BitSet other) {
        other.and(bits); // expect: guard-not-held
        return "abc".contains(text); // expect: guard-not-held
    }

    Set<String> free() {
        return new java.util.TreeSet<>(safe); // silent: it takes care itself
    }

    Set<String> reached() {
        return new java.util.TreeSet<>(names); // expect: guard-not-held; the field, and what a Set holds
    }

    boolean which(Object other, int[] numbers) {
        return Objects.equals(array, other) // silent: whether it is that array
                || Objects.hashCode(array) == 0 // silent
                || Arrays.equals(array, numbers) // expect: guard-not-held
                || Objects.deepEquals(array, numbers) // expect: guard-not-held
                || Objects.equals(list, other); // expect: guard-not-held
    }

    List<String> right(int[] to, BitSet other) {
        synchronized (lock) {
            Collections.sort(list); // silent
            Arrays.fill(array, 0); // silent
            Arrays.fill(rows[1], 0); // silent
            System.arraycopy(array, 0, to, 0, 9); // silent
            System.arraycopy(to, 0, array.clone(), 0, 9); // silent
            other.and(bits); // silent
            to[0] = bits.hashCode() + new java.util.TreeSet<>(names).size(); // silent
            return new ArrayList<>(list); // silent
        }
    }

    List<String> own(List<String> given) {
        List<String> made = new ArrayList<>(given); // silent
        Collections.sort(made); // silent
        int[] numbers = new int[3];
        Arrays.fill(numbers, 1); // silent
        System.arraycopy(numbers, 0, numbers.clone(), 0, 3); // silent
        return made;
    }
}
