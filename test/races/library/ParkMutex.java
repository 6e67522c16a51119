import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Right: a first-come-first-served lock of an AtomicBoolean, a queue of waiting threads, and park(). */
public class ParkMutex {
    private final AtomicBoolean taken = new AtomicBoolean();
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

    void lock() {
        Thread current = Thread.currentThread();
        waiting.add(current);
        while (waiting.peek() != current || !taken.compareAndSet(false, true)) {
            LockSupport.park(this);
        }
        waiting.remove();
    }

    void unlock() {
        taken.set(false);
        LockSupport.unpark(waiting.peek());
    }

    static int count = 1;

    public static void main(String[] arguments) throws Exception {
        ParkMutex mutex = new ParkMutex();
        Runnable work = () -> {
            for (int i = 0; i < 100; i++) {
                mutex.lock();
                count++;
                mutex.unlock();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (count != 201) {
            throw new AssertionError(count);
        }
        System.out.println("ok");
    }
}
