import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Right: a sorted concurrent map publishes its values; keys are compared by their fields on the way. */
public class ConcurrentSkipLists {
    static class Key implements Comparable<Key> {
        int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Key other) {
            return Integer.compare(number, other.number);
        }
    }

    static class Value {
        int weight;
    }

    static final ConcurrentSkipListMap<Key, Value> map = new ConcurrentSkipListMap<>();
    static final ConcurrentSkipListSet<Key> set = new ConcurrentSkipListSet<>();

    static void fill(int from) {
        for (int i = from; i < 100; i += 2) {
            Value value = new Value();
            value.weight = 1;
            map.put(new Key(i), value);
            set.add(new Key(i));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> fill(0));
        Thread second = new Thread(() -> fill(1));
        first.start();
        second.start();
        for (int round = 0; round < 5; round++) {
            int sum = 0;
            for (Value value : map.values()) {
                sum += value.weight;
            }
            for (Key key : set) {
                sum += key.number >= 0 ? 1 : 1000;
            }
            if (sum > 200) {
                throw new AssertionError(sum);
            }
        }
        first.join();
        second.join();
        if (map.firstEntry().getValue().weight != 1 || map.size() != 100 || set.last().number != 99) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
