import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Right: unsynchronized collections of all kinds, used by two threads under one lock. */
public class CollectionsLocked {
    static class Registry {
        private final Map<Integer, String> map = new HashMap<>();
        private final List<Integer> list = new ArrayList<>();
        private final LinkedList<Integer> linked = new LinkedList<>();
        private final TreeMap<Integer, String> sorted = new TreeMap<>();
        private final ArrayDeque<Integer> deque = new ArrayDeque<>();
        private final Set<Integer> set = new HashSet<>();
        private final LinkedHashMap<Integer, String> recent = new LinkedHashMap<>(16, 0.75f, true);
        private final PriorityQueue<Integer> jobs = new PriorityQueue<>();
        private final BitSet bits = new BitSet();
        private final IdentityHashMap<Object, Integer> labels = new IdentityHashMap<>();
        private final EnumMap<TimeUnit, Integer> units = new EnumMap<>(TimeUnit.class);

        synchronized void step(int i) {
            map.put(i, "value");
            list.add(i);
            linked.addFirst(i);
            sorted.put(i, "value");
            deque.addLast(i);
            set.add(i);
            recent.put(i, "value");
            recent.get(i - 1);
            jobs.offer(i);
            bits.set(i);
            labels.put(Thread.currentThread(), i);
            units.put(TimeUnit.SECONDS, i);
        }

        synchronized int size() {
            int sum = 0;
            for (int i : list) {
                sum += i - i;
            }
            for (Map.Entry<Integer, String> entry : map.entrySet()) {
                sum += entry.getKey() - entry.getKey();
            }
            return sum + map.size() + list.size() + linked.size() + sorted.size() + deque.size() + set.size()
                    + recent.size() + jobs.size() + bits.cardinality() + labels.size() + units.size();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                registry.step(i);
            }
        });
        Thread second = new Thread(() -> {
            for (int i = 50; i < 100; i++) {
                registry.step(i);
                registry.size();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        if (registry.size() != 903) {
            throw new AssertionError(registry.size());
        }
        System.out.println("ok");
    }
}
