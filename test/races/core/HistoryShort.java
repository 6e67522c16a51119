import quiet.Order;

/** With the shortest history, a write after reads of five threads still races with the last of them. */
public class HistoryShort {
    //! options: --history 2
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        value = 1;
        Thread[] threads = new Thread[5];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = new Thread(() -> {
                int seen = value; //! race observed HistoryShort.value
                if (seen == 1) {
                    Order.reach("read " + own);
                }
            });
            threads[i].start();
        }
        for (int i = 0; i < threads.length; i++) {
            Order.await("read " + i);
        }
        value = 2; //! race observed HistoryShort.value
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("ok");
    }
}
