import java.util.concurrent.ConcurrentHashMap;
import quiet.Threads;

/** Wrong: each call is one step, but two of them are not. */
public class ConcurrentMapGetPut {
    private static final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

    public static void count(String word) {
        Integer before = counts.get(word);
        counts.put(word, before == null ? 1 : before + 1); //! atomicity predicted ConcurrentMapGetPut.count using java.util.concurrent.ConcurrentHashMap
    }

    public static void main(String[] arguments) {
        counts.put("word", 1);
        Threads.inTurn(() -> count("word"), () -> count("word"));
        System.out.println(counts.get("word") == 3 ? "ok" : "lost");
    }
}
