import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Right: collections that main fills before it starts the threads, and nobody changes afterwards. */
public class CollectionsReadOnly {
    static final Map<Integer, String> names = new HashMap<>();
    static final TreeMap<Integer, String> sorted = new TreeMap<>();
    static final List<Integer> numbers = new ArrayList<>();

    static void work() {
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            sum += names.get(i).length() + sorted.get(i).length() + numbers.get(i);
            if (!names.containsKey(i) || sorted.lastKey() != 49 || numbers.size() != 50) {
                throw new AssertionError();
            }
        }
        for (int number : numbers) {
            sum -= number;
        }
        for (Map.Entry<Integer, String> entry : names.entrySet()) {
            sum -= entry.getValue().length();
        }
        for (String name : sorted.values()) {
            sum -= name.length();
        }
        if (sum != 0) {
            throw new AssertionError(sum);
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 50; i++) {
            names.put(i, "name");
            sorted.put(i, "name");
            numbers.add(i);
        }
        Thread first = new Thread(CollectionsReadOnly::work);
        Thread second = new Thread(CollectionsReadOnly::work);
        first.start();
        second.start();
        work();
        first.join();
        second.join();
        names.clear();
        System.out.println("ok");
    }
}
