import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import quiet.Threads;

/** Right: the map is its own lock, as its documentation says. */
public class SynchronizedMapLocked {
    private static final Map<String, String> map = Collections.synchronizedMap(new HashMap<>());

    public static boolean putOnce(String key, String value) {
        synchronized (map) {
            if (map.containsKey(key)) {
                return false;
            }
            map.put(key, value);
            return true;
        }
    }

    public static void main(String[] arguments) {
        Threads.together(() -> putOnce("key", "one"), () -> putOnce("key", "two"));
        System.out.println(map.size() == 1 ? "ok" : "lost");
    }
}
