import java.util.concurrent.ConcurrentHashMap;
import quiet.Threads;

/** Right: putIfAbsent() asks and puts in one step. */
public class ConcurrentMapPutIfAbsent {
    private static final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();

    public static boolean putOnce(String key, String value) {
        return map.putIfAbsent(key, value) == null;
    }

    public static void main(String[] arguments) {
        Threads.together(() -> putOnce("key", "one"), () -> putOnce("key", "two"));
        System.out.println(map.size() == 1 ? "ok" : "lost");
    }
}
