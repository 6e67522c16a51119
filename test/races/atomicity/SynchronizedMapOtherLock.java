import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import quiet.Threads;

/** Wrong: the lock around the two calls is none that others take. */
public class SynchronizedMapOtherLock {
    private static final Object LOCK = new Object();
    private static final Map<String, String> map = Collections.synchronizedMap(new HashMap<>());

    public static void putOnce(String key, String value) {
        synchronized (LOCK) {
            if (!map.containsKey(key)) {
                map.put(key, value); //! atomicity predicted SynchronizedMapOtherLock.putOnce
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> putOnce("key", "one"), () -> map.remove("key"));
        System.out.println(map.isEmpty() ? "ok" : "not removed");
    }
}
