import java.util.concurrent.atomic.AtomicBoolean;

/** Right: a spin lock of one's own; compareAndSet() comes after the set(false) of the last owner. */
public class AtomicSpinLock {
    static class SpinLock {
        private final AtomicBoolean taken = new AtomicBoolean();

        void lock() {
            while (!taken.compareAndSet(false, true)) {
                Thread.yield();
            }
        }

        void unlock() {
            taken.set(false);
        }
    }

    static final SpinLock lock = new SpinLock();
    static int count = 1;

    public static void main(String[] arguments) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 300; i++) {
                lock.lock();
                count++;
                lock.unlock();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (count != 601) {
            throw new AssertionError(count);
        }
        System.out.println("ok");
    }
}
