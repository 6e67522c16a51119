import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import quiet.Threads;

/** Wrong: two threads can find the key missing, and both put it. */
public class SynchronizedMapCheckPut {
    private static final Map<String, String> map = Collections.synchronizedMap(new HashMap<>());

    public static void putOnce(String key, String value) {
        if (!map.containsKey(key)) {
            map.put(key, value); //! atomicity predicted SynchronizedMapCheckPut.putOnce
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> putOnce("key", "one"), () -> putOnce("key", "two"));
        System.out.println(map.get("key").equals("one") ? "ok" : "twice");
    }
}
