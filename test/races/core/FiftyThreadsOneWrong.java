import quiet.Order;

/** Wrong: forty-nine threads take the lock, the fiftieth does not. */
public class FiftyThreadsOneWrong {
    static final Object LOCK = new Object();
    static int count;

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[49];
        for (int i = 0; i < threads.length; i++) {
            String step = "counted " + i;
            threads[i] = new Thread(() -> {
                synchronized (LOCK) {
                    count++; //! race observed FiftyThreadsOneWrong.count
                }
                Order.reach(step);
            });
            threads[i].start();
        }
        Thread last = new Thread(() -> {
            for (int i = 0; i < 49; i++) {
                Order.await("counted " + i);
            }
            count++; //! race observed FiftyThreadsOneWrong.count
        });
        last.start();
        for (Thread thread : threads) {
            thread.join();
        }
        last.join();
        System.out.println(count == 50 ? "ok" : "lost a count");
    }
}
