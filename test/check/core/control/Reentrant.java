import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/** A lock that is taken twice must be given back twice; locks inside each other. */
final class Reentrant {
    private final ReentrantLock lock = new ReentrantLock();
    private final Object first = new Object();
    private final Object second = new Object();
    @GuardedBy("this") private int count;
    @GuardedBy("lock") private int value;
    @GuardedBy("first") private int one;
    @GuardedBy("second") private int two;

    synchronized void blockInMethod() {
        synchronized (this) {
            count++; // silent
        }
        count++; // silent: the method still holds it
    }

    void twice() {
        synchronized (this) {
            synchronized (this) {
                count++; // silent
            }
            count++; // silent
        }
        count++; // expect: guard-not-held
    }

    void lockTwice() {
        lock.lock();
        lock.lock();
        value++; // silent
        lock.unlock();
        value++; // silent
        lock.unlock();
        value++; // expect: guard-not-held
    }

    @GuardedBy("lock")
    void lockWhatIsRequired() {
        value++; // silent
        lock.lock();
        value++; // silent
        lock.unlock();
        value++; // silent: the caller's is still there
    }

    @GuardedBy("lock")
    void givesUpWhatIsRequired() {
        value++; // silent
        lock.unlock();
        value++; // expect: guard-not-held
        lock.lock();
        value++; // silent
    }

    @GuardedBy("this")
    void blockOnWhatIsRequired() {
        synchronized (this) {
            count++; // silent
        }
        count++; // silent
    }

    void nested() {
        synchronized (first) {
            one++; // silent
            two++; // expect: guard-not-held
            synchronized (second) {
                one++; // silent
                two++; // silent
            }
            two++; // expect: guard-not-held
            one++; // silent
        }
        one++; // expect: guard-not-held
    }

    void crossed() {
        lock.lock();
        synchronized (first) {
            one++; // silent
            value++; // silent
            lock.unlock();
            value++; // expect: guard-not-held
            one++; // silent
        }
    }

    void threeDeep() {
        synchronized (first) {
            synchronized (second) {
                synchronized (first) {
                    one += two; // silent
                }
                one += two; // silent
            }
            one++; // silent
        }
    }
}
