//! needs: 21
import java.util.concurrent.locks.ReentrantLock;

/** Right: many virtual threads under a ReentrantLock and a monitor, which they may keep while they change carriers. */
public class VirtualLocks {
    static final ReentrantLock lock = new ReentrantLock();
    static final Object monitor = new Object();
    static int locked;
    static int synched;

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[50];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.startVirtualThread(() -> {
                for (int j = 0; j < 10; j++) {
                    lock.lock();
                    try {
                        locked++;
                        Thread.yield();
                        locked++;
                    } finally {
                        lock.unlock();
                    }
                    synchronized (monitor) {
                        synched++;
                        Thread.yield();
                        synched++;
                    }
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (locked != 1000 || synched != 1000) {
            throw new AssertionError(locked + " " + synched);
        }
        System.out.println("ok");
    }
}
