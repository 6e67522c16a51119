/** Right: exceptions are thrown and caught while the lock is held, also from calls and by the machine. */
public class ExceptionCaughtInside {
    static final Object LOCK = new Object();
    static int failures;
    static int[] cells = new int[2];

    static int divide(int by) {
        return 1 / by;
    }

    static void work() {
        synchronized (LOCK) {
            try {
                divide(0);
            } catch (ArithmeticException e) {
                failures++;
            }
            try {
                cells[2]++;
            } catch (ArrayIndexOutOfBoundsException e) {
                failures++;
            } finally {
                cells[1]++;
            }
            try {
                ((String) null).length();
            } catch (NullPointerException e) {
                failures++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable loop = () -> {
            for (int i = 0; i < 50; i++) {
                work();
            }
        };
        Thread first = new Thread(loop);
        Thread second = new Thread(loop);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(failures == 300 && cells[1] == 100 ? "ok" : "lost a failure");
    }
}
