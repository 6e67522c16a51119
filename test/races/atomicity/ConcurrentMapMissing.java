import java.util.concurrent.ConcurrentHashMap;
import quiet.Threads;

/** Wrong: that the key is missing may be no longer true when it is put. */
public class ConcurrentMapMissing {
    private static final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();

    public static void putOnce(String key, String value) {
        if (!map.containsKey(key)) {
            map.put(key, value); //! atomicity predicted ConcurrentMapMissing.putOnce
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> putOnce("key", "one"), () -> putOnce("key", "two"));
        System.out.println(map.get("key").equals("one") ? "ok" : "twice");
    }
}
