import java.util.concurrent.ConcurrentHashMap;
import quiet.Threads;

/** Right: one call on a concurrent collection is one step. */
public class ConcurrentMapPut {
    private static final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();

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
