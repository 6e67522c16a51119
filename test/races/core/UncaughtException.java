/** Right: threads end by an exception that nobody catches; join and the thread's own handler see what they did. */
public class UncaughtException {
    static int value;
    static Throwable failure;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            synchronized (UncaughtException.class) {
                value = 41;
                throw new IllegalStateException("on purpose");
            }
        });
        first.setUncaughtExceptionHandler((thread, thrown) -> {
            failure = thrown;
            value++;
        });
        first.start();
        first.join();
        boolean right = value == 42 && failure.getMessage().equals("on purpose");
        System.out.println(right ? "ok" : "not seen");
    }
}
