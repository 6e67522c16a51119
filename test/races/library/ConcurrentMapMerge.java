import java.util.concurrent.ConcurrentHashMap;

/** Right: word counts with merge(); the values are immutable. */
public class ConcurrentMapMerge {
    static final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
    static final String[] words = {"to", "be", "or", "not", "to", "be"};

    static void work() {
        for (int i = 0; i < 50; i++) {
            for (String word : words) {
                counts.merge(word, 1, Integer::sum);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(ConcurrentMapMerge::work);
        Thread second = new Thread(ConcurrentMapMerge::work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (counts.get("to") != 200 || counts.get("or") != 100) {
            throw new AssertionError(counts);
        }
        System.out.println("ok");
    }
}
