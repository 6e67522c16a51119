import quiet.Order;
import quiet.Threads;

/** Right: a method that waits is two blocks. Others change the value meanwhile: that is what it waits for. */
public class WaitSplits {
    private int value;
    private boolean changed;

    public synchronized int change() throws InterruptedException {
        int before = value;
        Order.reach("inside");
        while (!changed) {
            wait();
        }
        value++;
        return value - before;
    }

    public synchronized void add(int amount) {
        value += amount;
        changed = true;
        notifyAll();
    }

    public static void main(String[] arguments) {
        WaitSplits shared = new WaitSplits();
        Threads.together(() -> {
            try {
                System.out.println(shared.change() == 6 ? "ok" : "not changed");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, () -> {
            Order.await("inside");
            shared.add(5);
        });
    }
}
