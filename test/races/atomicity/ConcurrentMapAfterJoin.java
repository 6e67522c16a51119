import java.util.concurrent.ConcurrentHashMap;

/**
 * Right: when all threads that used the map and the flag are joined, nobody can come between the steps of what closes
 * them.
 */
public class ConcurrentMapAfterJoin {
    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
    private volatile boolean open = true;

    private void count() {
        if (open) {
            counts.merge("all", 1, Integer::sum);
        }
    }

    public void close() {
        Integer before = counts.get("all");
        counts.put("all", before + 1);
        open = false;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ConcurrentMapAfterJoin counter = new ConcurrentMapAfterJoin();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(counter::count);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        counter.close();
        System.out.println(counter.counts.get("all") == 4 ? "ok" : "lost");
    }
}
