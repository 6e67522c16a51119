/** Right: a synchronized method that calls itself, twenty deep, and changes data before and after. */
public class RecursiveLock {
    private long sum;
    private final long[] levels = new long[20];

    synchronized void descend(int depth) {
        if (depth == 20) {
            return;
        }
        levels[depth]++;
        descend(depth + 1);
        sum += depth;
    }

    public static void main(String[] arguments) throws InterruptedException {
        RecursiveLock object = new RecursiveLock();
        Runnable work = () -> {
            for (int i = 0; i < 20; i++) {
                object.descend(0);
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(object.sum == 40 * 190 && object.levels[19] == 40 ? "ok" : "lost an addition");
    }
}
