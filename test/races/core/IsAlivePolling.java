/** Right: when isAlive says that a thread has ended, everything it did is seen. */
public class IsAlivePolling {
    static int value;

    public static void main(String[] arguments) {
        Thread thread = new Thread(() -> value = 41);
        thread.start();
        while (thread.isAlive()) {
            Thread.yield();
        }
        value++;
        System.out.println(value == 42 ? "ok" : "not seen");
    }
}
