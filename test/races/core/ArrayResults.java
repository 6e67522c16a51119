/** Right: each thread of a group puts its result into its own element, and the main thread joins them all. */
public class ArrayResults {
    public static void main(String[] arguments) throws InterruptedException {
        int[] results = new int[6];
        Thread[] threads = new Thread[results.length];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = new Thread(() -> {
                for (int j = 0; j <= own; j++) {
                    results[own] += j;
                }
            });
            threads[i].start();
        }
        int sum = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            sum += results[i];
        }
        System.out.println(sum == 35 ? "ok" : "wrong sum");
    }
}
