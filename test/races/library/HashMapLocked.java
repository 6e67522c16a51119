import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Right: a HashMap under a ReentrantLock. */
public class HashMapLocked {
    static class Registry {
        private final ReentrantLock lock = new ReentrantLock();
        private final Map<String, Integer> counts = new HashMap<>();

        void count(String word) {
            lock.lock();
            try {
                Integer old = counts.get(word);
                counts.put(word, old == null ? 1 : old + 1);
            } finally {
                lock.unlock();
            }
        }

        int get(String word) {
            lock.lock();
            try {
                return counts.getOrDefault(word, 0);
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Runnable work = () -> {
            for (int i = 0; i < 100; i++) {
                registry.count(i % 2 == 0 ? "even" : "odd");
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (registry.get("even") != 100) {
            throw new AssertionError(registry.get("even"));
        }
        System.out.println("ok");
    }
}
