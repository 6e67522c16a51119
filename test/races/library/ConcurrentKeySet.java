import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Right: ConcurrentHashMap.newKeySet() is a concurrent set; who adds an element first may work on it. */
public class ConcurrentKeySet {
    static final Set<Integer> claimed = ConcurrentHashMap.newKeySet();
    static final int[] work = new int[100];

    static void claim() {
        for (int i = 0; i < work.length; i++) {
            if (claimed.add(i)) {
                work[i]++;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(ConcurrentKeySet::claim);
        Thread second = new Thread(ConcurrentKeySet::claim);
        first.start();
        second.start();
        first.join();
        second.join();
        for (int done : work) {
            if (done != 1) {
                throw new AssertionError(done);
            }
        }
        System.out.println("ok");
    }
}
