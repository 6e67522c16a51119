import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Right: two threads send work to one worker, and only this worker touches the map. */
public class ExecutorSingleThread {
    static final Map<Integer, Integer> map = new HashMap<>();
    static int changes;

    public static void main(String[] arguments) throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        Runnable work = () -> {
            for (int i = 0; i < 50; i++) {
                int key = i;
                worker.execute(() -> {
                    map.put(key, key);
                    changes++;
                });
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        Future<Integer> size = worker.submit(() -> map.size() + changes);
        if (size.get() != 150) {
            throw new AssertionError(size.get());
        }
        worker.shutdown();
        System.out.println("ok");
    }
}
