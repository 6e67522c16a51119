// options: --expect-atomic none
/** The same program, and nobody asks. */
public class ExpectedNone {
    private int count; /*# guarded_by this */
    private volatile int shared;

    public synchronized void increment() {
        count++; // silent
    }

    public void twice() {
        increment(); // silent
        increment();
    }

    protected void bump() {
        shared++; // silent
    }

    private void hidden() {
        shared--; // silent
    }

    public void useHidden() {
        hidden(); // silent
    }

    private synchronized void await() throws InterruptedException {
        while (count == 0) { // silent
            wait();
        }
    }

    public int shared() {
        return shared; // silent
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExpectedNone methods = new ExpectedNone(); // silent
        methods.twice();
        methods.await();
        methods.useHidden();
        new Thread(methods.new Task()).start();
    }

    public class Task implements Runnable {
        @Override
        public void run() {
            bump(); // silent
            twice();
        }
    }
}
