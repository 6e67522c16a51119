import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Right: a map is filled by one thread, handed over by a queue, and changed by the other from then on. */
public class HashMapHandedOver {
    static final BlockingQueue<Map<String, Integer>> queue = new LinkedBlockingQueue<>();

    public static void main(String[] arguments) throws Exception {
        Thread filler = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                Map<String, Integer> map = new HashMap<>();
                map.put("number", i);
                map.put("one", 1);
                queue.add(map);
            }
        });
        filler.start();
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            Map<String, Integer> map = queue.take();
            sum += map.get("number") + map.remove("one");
            map.clear();
        }
        filler.join();
        if (sum != 210) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
