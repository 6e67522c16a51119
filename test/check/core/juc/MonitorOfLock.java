import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The monitor of a Lock is not the lock: who synchronizes on it does not exclude who calls lock(). */
final class MonitorOfLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final Lock plain = new ReentrantLock();
    private final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
    @GuardedBy("lock") private int value;
    @GuardedBy("plain") private int other;
    @GuardedBy("rw") private int third;

    void monitor() {
        synchronized (lock) {
            value++; // expect: guard-not-held
        }
        synchronized (plain) {
            other++; // expect: guard-not-held
        }
        synchronized (rw) {
            third++; // expect: guard-not-held
        }
    }

    void both() {
        lock.lock();
        synchronized (lock) {
            value++; // silent
        }
        value++; // silent
        lock.unlock();
    }

    void proper() {
        plain.lock();
        other++; // silent
        plain.unlock();
        rw.writeLock().lock();
        third++; // silent
        rw.writeLock().unlock();
    }
}
