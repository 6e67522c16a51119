import java.util.Map;
import java.util.TreeMap;

/** What rewritten classes call: how often each method was entered, returned and was left by an exception. */
public final class Counter {
    /** Counted by inserted getstatic, lconst_1, ladd, putstatic. */
    public static long instructions;

    private static final Map<String, long[]> counts = new TreeMap<>();

    private Counter() {
    }

    private static synchronized void count(String method, int what) {
        counts.computeIfAbsent(method, name -> new long[3])[what]++;
    }

    public static void entry(String method) {
        count(method, 0);
    }

    public static void exit(String method) {
        count(method, 1);
    }

    public static void thrown(String method) {
        count(method, 2);
    }

    static synchronized Map<String, long[]> counts() {
        return new TreeMap<>(counts);
    }
}
