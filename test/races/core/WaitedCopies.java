import quiet.Order;

/** Wrong: as CopyLock, with monitors that somebody has waited for: the copy does not have the number of the original. */
public class WaitedCopies implements Cloneable {
    static int shared;

    synchronized void pause() throws InterruptedException {
        wait(1);
    }

    static void add(Object lock, int by) {
        synchronized (lock) {
            shared += by; //! race observed WaitedCopies.shared
        }
    }

    public static void main(String[] arguments) throws Exception {
        WaitedCopies original = new WaitedCopies();
        original.pause();
        WaitedCopies copy = (WaitedCopies) original.clone();
        copy.pause();
        Thread first = new Thread(() -> {
            add(original, 1);
            Order.reach("first");
        });
        Thread second = new Thread(() -> {
            Order.await("first");
            add(copy, 2);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
