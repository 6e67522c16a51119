import java.util.Hashtable;
import quiet.Threads;

/** Right: merge() counts in one call, under the lock of the table. */
public class HashtableMerge {
    private static final Hashtable<String, Integer> counts = new Hashtable<>();

    public static void count(String word) {
        counts.merge(word, 1, Integer::sum);
    }

    static void work() {
        for (int i = 0; i < 20; i++) {
            count("word");
        }
    }

    public static void main(String[] arguments) {
        Threads.together(HashtableMerge::work, HashtableMerge::work);
        System.out.println(counts.get("word") == 40 ? "ok" : "lost");
    }
}
