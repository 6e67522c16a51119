import java.util.Hashtable;
import quiet.Threads;

/** Wrong: what was counted between get() and put() is lost. */
public class HashtableGetPut {
    private static final Hashtable<String, Integer> counts = new Hashtable<>();

    public static void count(String word) {
        Integer before = counts.get(word);
        counts.put(word, before == null ? 1 : before + 1); //! atomicity predicted HashtableGetPut.count
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> count("word"), () -> count("word"));
        System.out.println(counts.get("word") == 2 ? "ok" : "lost");
    }
}
