import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: two threads use the map under different locks; this run has them in order by a third lock only. */
public class HashMapTwoLocks {
    static class Registry {
        final ReentrantLock reading = new ReentrantLock();
        final ReentrantLock writing = new ReentrantLock();
        final ReentrantLock log = new ReentrantLock();
        final Map<String, Integer> entries = new HashMap<>();
        int lines;

        void log() {
            log.lock();
            lines++;
            log.unlock();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        registry.entries.put("a", 0);
        Thread writer = new Thread(() -> {
            registry.writing.lock();
            registry.entries.put("a", 1);
            registry.writing.unlock();
            registry.log();
            Order.reach("put");
        });
        Thread reader = new Thread(() -> {
            Order.await("put");
            registry.log();
            registry.reading.lock();
            registry.entries.get("a"); //! race predicted HashMapTwoLocks$Registry.entries
            registry.reading.unlock();
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
