import quiet.Threads;

/** Right: a synchronized block that never ends normally gives its lock back, also inside another one. */
public class BlockThrowsAlways {
    private final Object lock = new Object();
    private int value;
    private int other;

    void fail() {
        synchronized (lock) {
            value++;
            throw new IllegalStateException();
        }
    }

    void failInside() {
        synchronized (this) {
            other++;
            synchronized (lock) {
                value++;
                throw new IllegalStateException();
            }
        }
    }

    void work() {
        for (Runnable failing : new Runnable[] {this::fail, this::failInside}) {
            try {
                failing.run();
            } catch (IllegalStateException expected) {
                synchronized (lock) {
                    value++;
                }
            }
        }
    }

    public static void main(String[] arguments) {
        BlockThrowsAlways shared = new BlockThrowsAlways();
        Threads.inTurn(shared::work, shared::work);
        System.out.println(shared.value == 8 && shared.other == 2 ? "ok" : "lost");
    }
}
