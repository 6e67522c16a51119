import java.util.ArrayList;
import java.util.List;

/**
 * Few arrays stay, and very many that came after them die old: what is known of those goes, too, when the next array is
 * seen. Were it kept, it would be 50 MB of the heap at the end.
 */
public class DeadArrays {
    private static final int STAYING = 20_000;
    private static final int DYING = 400_000;
    private static final int BOUND = 24;
    private static final List<int[]> staying = new ArrayList<>();
    private static List<int[]> dying = new ArrayList<>();
    private static int[] next;

    private static void add(List<int[]> arrays, int count) {
        for (int i = 0; i < count; i++) {
            arrays.add(new int[4]);
            arrays.get(i)[i % 4] = i; // others could have it by now: it is watched
        }
    }

    /** Everything that lives is old then, and what the tool keeps is what it takes for living. */
    private static void collect() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            next = new int[1];
            next[0]++; // the first array that is seen after a collection
        }
    }

    private static long heap() {
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1048576;
    }

    public static void main(String[] arguments) throws InterruptedException {
        // Before there is a second thread, nothing needs to be watched.
        Thread other = new Thread(() -> add(staying, STAYING));
        other.start();
        other.join();
        add(dying, DYING);
        collect();
        Status.report("tenth");
        dying = null;
        // The JVM's own thread has to let go of each weak reference, too, and takes its time.
        for (int i = 0; i < 100 && heap() >= BOUND; i++) {
            collect();
            Thread.sleep(100);
        }
        System.out.println(heap() < BOUND ? "little is kept" : heap() + " MB are kept");
        System.out.println(staying.get(STAYING - 1)[3]);
        Status.end();
    }
}
