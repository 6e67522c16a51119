/** Right: two threads fill a half of an array each; the main thread adds up after both have ended. */
public class ArrayHalves {
    static final long[] cells = new long[1000];

    static void fill(int from, int to) {
        for (int i = from; i < to; i++) {
            cells[i] = i;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread low = new Thread(() -> fill(0, 500));
        Thread high = new Thread(() -> fill(500, 1000));
        low.start();
        high.start();
        low.join();
        high.join();
        long sum = 0;
        for (long cell : cells) {
            sum += cell;
        }
        System.out.println(sum == 499_500 ? "ok" : "wrong sum");
    }
}
