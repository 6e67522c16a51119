/** Right: a thread that waits in join is interrupted, and sees what was written before the interrupt. */
public class InterruptedByJoin {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread main = Thread.currentThread();
        Thread joiner = new Thread(() -> {
            try {
                main.join();
            } catch (InterruptedException e) {
                value++;
            }
        });
        joiner.start();
        value = 41;
        joiner.interrupt();
        joiner.join();
        System.out.println(value == 42 ? "ok" : "not seen");
    }
}
