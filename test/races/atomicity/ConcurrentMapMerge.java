import java.util.concurrent.ConcurrentHashMap;
import quiet.Threads;

/** Right: merge() counts in one step. */
public class ConcurrentMapMerge {
    private static final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

    public static void count(String word) {
        counts.merge(word, 1, Integer::sum);
    }

    static void work() {
        for (int i = 0; i < 20; i++) {
            count("word");
        }
    }

    public static void main(String[] arguments) {
        Threads.together(ConcurrentMapMerge::work, ConcurrentMapMerge::work);
        System.out.println(counts.get("word") == 40 ? "ok" : "lost");
    }
}
