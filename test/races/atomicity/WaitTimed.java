import quiet.Threads;

/** Right: a wait that ends by itself splits as well. */
public class WaitTimed {
    private int value;

    public synchronized int poll() throws InterruptedException {
        int before = value;
        wait(1);
        return value - before;
    }

    public synchronized void add() {
        value++;
    }

    public static void main(String[] arguments) {
        WaitTimed shared = new WaitTimed();
        Threads.together(() -> {
            try {
                shared.poll();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, shared::add);
        System.out.println("ok");
    }
}
