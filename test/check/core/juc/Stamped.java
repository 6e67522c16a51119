import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.StampedLock;

/** StampedLock. */
final class Stamped {
    private final StampedLock lock = new StampedLock();
    @GuardedBy("lock") private double x;
    @GuardedBy("lock") private double y;

    void move(double by) {
        long stamp = lock.writeLock();
        try {
            x += by; // silent
            y += by; // silent
        } finally {
            lock.unlockWrite(stamp);
        }
        x += by; // expect: guard-not-held
    }

    double distance() {
        long stamp = lock.readLock();
        try {
            return x * x + y * y; // silent
        } finally {
            lock.unlockRead(stamp);
        }
    }

    void writeWhileReading() {
        long stamp = lock.readLock();
        x = y; // expect: guard-not-held
        lock.unlockRead(stamp);
        y = 0; // expect: guard-not-held
    }

    void none() {
        x = 1; // expect: guard-not-held
        double copy = y; // expect: guard-not-held
    }

    void general() {
        long stamp = lock.writeLock();
        x = 1; // silent
        lock.unlock(stamp);
        x = 2; // expect: guard-not-held
    }

    void tried() {
        long stamp = lock.tryWriteLock();
        if (stamp != 0) {
            x = 3; // silent
            lock.unlockWrite(stamp);
        } else {
            x = 4; // expect: guard-not-held
        }
    }

    void triedForReading() {
        long stamp = lock.tryReadLock();
        if (stamp == 0L) {
            return;
        }
        double copy = x; // silent
        y = copy; // expect: guard-not-held
        lock.unlockRead(stamp);
    }
}
