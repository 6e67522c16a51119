import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A final field is never written: what needs the lock is what it refers to. */
class BeliefContents {
    private final Map<String, Integer> stock = new HashMap<>();
    private final List<String> log = new ArrayList<>();
    private final int[] sizes = new int[8];
    private final Map<String, Integer> safe = new ConcurrentHashMap<>();
    private final List<String> wrapped = Collections.synchronizedList(new ArrayList<>());
    private final List<String> given;
    private static final List<String> SHARED = new ArrayList<>();

    static {
        SHARED.add("first"); // silent: nobody else can be there yet
    }

    BeliefContents(List<String> given) {
        this.given = given;
        stock.put("bolt", 1); // silent: under construction
        sizes[0] = 1; // silent
    }

    synchronized void add(String item) {
        stock.put(item, 1); // silent
        log.add(item); // silent
        sizes[1]++; // silent
        safe.put(item, 1);
        wrapped.add(item);
        given.add(item);
    }

    synchronized void remove(String item) {
        stock.remove(item); // silent
        log.remove(item); // silent
        sizes[1]--; // silent
        safe.remove(item);
        wrapped.remove(item);
        given.remove(item);
    }

    synchronized int both(String item) {
        return stock.get(item) + log.size() + sizes[1]; // silent
    }

    synchronized int[] sortedSizes() {
        Collections.sort(log); // silent
        return sizes.clone(); // silent
    }

    List<String> copyOfLog() {
        return new ArrayList<>(log); // expect: guard-not-held
    }

    int count(String item) {
        return stock.get(item); // expect: guard-not-held
    }

    boolean isLogged(String item) {
        for (String entry : log) { // expect: guard-not-held
            if (entry.equals(item)) {
                return true;
            }
        }
        return false;
    }

    void resize(int size) {
        sizes[1] = size; // expect: guard-not-held
    }

    int sizeOfSafe() {
        return safe.size(); // silent: it has locks of its own
    }

    boolean hasWrapped(String item) {
        return wrapped.contains(item); // silent: it is wrapped
    }

    boolean wasGiven(String item) {
        return given.contains(item); // silent: nobody knows what was given
    }

    int length() {
        return sizes.length; // silent: it never changes
    }

    Map<String, Integer> all() {
        return stock; // silent: the reference is final
    }

    static synchronized void share(String item) {
        SHARED.add(item); // silent
    }

    static synchronized void forget(String item) {
        SHARED.remove(item); // silent
    }

    static boolean isShared(String item) {
        return SHARED.contains(item); // expect: guard-not-held
    }
}
