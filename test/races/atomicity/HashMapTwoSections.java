import java.util.HashMap;
import java.util.Map;
import quiet.Threads;

/** Wrong: no race on the map, but the lock is given up between the question and the put. */
public class HashMapTwoSections {
    private final Map<String, Integer> map = new HashMap<>();

    public void putOnce(String key) {
        boolean missing;
        synchronized (map) {
            missing = !map.containsKey(key);
        }
        if (missing) {
            synchronized (map) { //! atomicity predicted HashMapTwoSections.putOnce
                map.put(key, 1); //! atomicity predicted HashMapTwoSections.putOnce
            }
        }
    }

    public static void main(String[] arguments) {
        HashMapTwoSections shared = new HashMapTwoSections();
        Threads.inTurn(() -> shared.putOnce("one"), () -> shared.putOnce("two"));
        System.out.println(shared.map.size() == 2 ? "ok" : "lost");
    }
}
