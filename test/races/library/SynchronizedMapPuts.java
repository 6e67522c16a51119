import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Right: Collections.synchronizedMap() locks in each call; its monitor guards the walk over its keys. */
public class SynchronizedMapPuts {
    static final Map<Integer, Integer> map = Collections.synchronizedMap(new HashMap<>());

    static void work() {
        for (int i = 0; i < 100; i++) {
            map.put(i, i);
            map.merge(i, 0, Integer::sum);
            if (map.get(i) != i || !map.containsKey(i)) {
                throw new AssertionError();
            }
            if (i % 10 == 0) {
                int sum = 0;
                synchronized (map) {
                    for (int key : map.keySet()) {
                        sum += key;
                    }
                }
                if (sum > 4950) {
                    throw new AssertionError(sum);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(SynchronizedMapPuts::work);
        Thread second = new Thread(SynchronizedMapPuts::work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (map.size() != 100) {
            throw new AssertionError(map.size());
        }
        System.out.println("ok");
    }
}
