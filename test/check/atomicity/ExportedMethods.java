// options: --expect-atomic exported
/** Nobody declared anything: what others can call should be atomic, and what is synchronized. */
public class ExportedMethods {
    private int count; /*# guarded_by this */
    private volatile int shared;

    public synchronized void increment() {
        count++; // silent
    }

    public void twice() {
        increment(); // expect: not-atomic
        increment();
    }

    protected void bump() {
        shared++; // expect: not-atomic
    }

    private void hidden() {
        shared--; // silent: no one outside can call it
    }

    public void useHidden() {
        hidden(); // expect: not-atomic
    }

    private synchronized void await() throws InterruptedException {
        while (count == 0) { // expect: not-atomic; synchronized methods count whoever calls them
            wait();
        }
    }

    public int shared() {
        return shared; // silent
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExportedMethods methods = new ExportedMethods(); // silent: nobody takes main for atomic
        methods.twice();
        methods.await();
        methods.useHidden();
        new Thread(methods.new Task()).start();
    }

    public class Task implements Runnable {
        @Override
        public void run() {
            bump(); // silent: nor run
            twice();
        }
    }
}
