/** Right: who is interrupted while it sleeps sees what the interrupting thread wrote before. */
public class InterruptException {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread sleeper = new Thread(() -> {
            try {
                while (true) {
                    Thread.sleep(600_000);
                }
            } catch (InterruptedException e) {
                value++;
            }
        });
        sleeper.start();
        value = 41;
        sleeper.interrupt();
        sleeper.join();
        System.out.println(value == 42 ? "ok" : "not seen");
    }
}
