/** With one state for a whole object: right, as all fields of the object are under its lock. */
public class GranularityObjectLocked {
    //! options: --granularity object
    static class Pair {
        int left;
        int right;
    }

    static void add(Pair pair, boolean left) {
        for (int i = 0; i < 50; i++) {
            synchronized (pair) {
                if (left) {
                    pair.left++;
                } else {
                    pair.right++;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Pair pair = new Pair();
        Thread first = new Thread(() -> add(pair, true));
        Thread second = new Thread(() -> add(pair, false));
        first.start();
        second.start();
        first.join();
        second.join();
        synchronized (pair) {
            System.out.println(pair.left + pair.right == 100 ? "ok" : "lost an addition");
        }
    }
}
