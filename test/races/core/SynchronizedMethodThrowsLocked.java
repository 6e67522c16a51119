/** Right: synchronized methods end with exceptions all the time, and everything is done inside them. */
public class SynchronizedMethodThrowsLocked {
    private int calls;
    private static int all;

    synchronized int call(int[] cells) {
        calls++;
        return cells[5]; // throws one of two exceptions, or none
    }

    static synchronized void callStatically(Object value) {
        all++;
        Integer number = (Integer) value; // throws or not
        all += number - number;
    }

    void use() {
        int[][] arguments = {null, new int[3], new int[9]};
        for (int[] argument : arguments) {
            try {
                call(argument);
            } catch (NullPointerException | ArrayIndexOutOfBoundsException e) {
                synchronized (this) {
                    calls++;
                }
            }
        }
        for (Object argument : new Object[] {1, "one"}) {
            try {
                callStatically(argument);
            } catch (ClassCastException e) {
                synchronized (SynchronizedMethodThrowsLocked.class) {
                    all++;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        SynchronizedMethodThrowsLocked object = new SynchronizedMethodThrowsLocked();
        Runnable loop = () -> {
            for (int i = 0; i < 20; i++) {
                object.use();
            }
        };
        Thread first = new Thread(loop);
        Thread second = new Thread(loop);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(object.calls == 200 && all == 120 ? "ok" : "lost a call");
    }
}
