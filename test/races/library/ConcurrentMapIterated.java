import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Right: iterators, views and forEach() of a ConcurrentHashMap may run beside put(), and see whole values. */
public class ConcurrentMapIterated {
    static class Entry {
        int weight;
    }

    static final ConcurrentHashMap<Integer, Entry> map = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
                Entry entry = new Entry();
                entry.weight = 1;
                map.put(i, entry);
            }
        });
        writer.start();
        for (int round = 0; round < 10; round++) {
            int[] sum = new int[1];
            for (Integer key : map.keySet()) {
                sum[0] += map.get(key).weight;
            }
            for (Entry entry : map.values()) {
                sum[0] += entry.weight;
            }
            for (Map.Entry<Integer, Entry> entry : map.entrySet()) {
                sum[0] += entry.getValue().weight;
            }
            map.forEach((key, entry) -> sum[0] += entry.weight);
            if (sum[0] > 800) {
                throw new AssertionError(sum[0]);
            }
        }
        writer.join();
        int total = map.reduceValuesToInt(Long.MAX_VALUE, entry -> entry.weight, 0, Integer::sum);
        if (total != 200) {
            throw new AssertionError(total);
        }
        System.out.println("ok");
    }
}
