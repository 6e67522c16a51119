/** Right: fifty threads share a counter and an array under one lock. */
public class FiftyThreads {
    static final Object LOCK = new Object();
    static int count;
    static final int[] perThread = new int[50];

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[50];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 20; j++) {
                    synchronized (LOCK) {
                        count++;
                        perThread[own]++;
                        perThread[(own + j) % 50]++;
                    }
                }
            });
            threads[i].start();
        }
        int sum = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
        }
        for (int i = 0; i < threads.length; i++) {
            sum += perThread[i];
        }
        System.out.println(count == 1000 && sum == 2000 ? "ok" : "lost a count");
    }
}
