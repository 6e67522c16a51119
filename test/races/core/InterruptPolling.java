/** Right: who finds itself interrupted, by isInterrupted or interrupted, sees what was written before the interrupt. */
public class InterruptPolling {
    static int first;
    static int second;

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.yield();
            }
            first++;
        });
        Thread two = new Thread(() -> {
            while (!Thread.interrupted()) {
                Thread.yield();
            }
            second++;
        });
        one.start();
        two.start();
        first = 20;
        one.interrupt();
        second = 20;
        two.interrupt();
        one.join();
        two.join();
        System.out.println(first + second == 42 ? "ok" : "not seen");
    }
}
