/** Right: data under the outer lock, data under the inner lock and data under both; always taken in the same order. */
public class NestedLocks {
    static final Object OUTER = new Object();
    static final Object INNER = new Object();
    static int outer;
    static int inner;
    static int both;

    static void work() {
        for (int i = 0; i < 50; i++) {
            synchronized (OUTER) {
                outer++;
                synchronized (INNER) {
                    inner++;
                    both++;
                }
                outer++;
            }
            synchronized (INNER) {
                inner++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(NestedLocks::work);
        Thread second = new Thread(NestedLocks::work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(outer == 200 && inner == 200 && both == 100 ? "ok" : "lost an addition");
    }
}
