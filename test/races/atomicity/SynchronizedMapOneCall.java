import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import quiet.Threads;

/** Right: each method makes one call. */
public class SynchronizedMapOneCall {
    private static final Map<String, String> map = Collections.synchronizedMap(new HashMap<>());

    public static void put(String key, String value) {
        map.put(key, value);
    }

    public static String get(String key) {
        return map.get(key);
    }

    public static void main(String[] arguments) {
        Threads.together(() -> put("key", "one"), () -> put("key", "two"), () -> get("key"));
        System.out.println(get("key") != null ? "ok" : "lost");
    }
}
