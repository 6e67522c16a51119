import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import quiet.Order;
import quiet.Threads;

/**
 * Wrong: the second thread takes none of the locks that the first holds. The locks of java.util.concurrent go by the
 * field that they were taken from, those with two views by the field of the lock itself; where that is not known, and
 * where the JDK takes a lock of its own, by the class.
 */
public class LockNamesLibrary {
    static class Keys {
        static final ReentrantLock SHARED = new ReentrantLock(true);
        Lock spare = new ReentrantLock();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Lock first = new ReentrantLock();
    private final Lock second = new ReentrantLock();
    private final ReadWriteLock both = new ReentrantReadWriteLock();
    private final ReentrantReadWriteLock copied = new ReentrantReadWriteLock();
    private final Lock view = new ReentrantReadWriteLock().writeLock();
    private final StampedLock stamped = new StampedLock();
    private final StampedLock viewed = new StampedLock();
    private final Map<String, String> map = Collections.synchronizedMap(new HashMap<>());

    int byLock;
    int byInterruptible;
    int byShared;
    int byTwo;
    int byReader;
    int byWriter;
    int byView;
    int byStamp;
    int byStampedView;
    int byParameter;
    int byResult;
    int byMap;

    static ReentrantLock make() {
        return new ReentrantLock();
    }

    void take(Keys keys) throws InterruptedException {
        lock.lock();
        byLock = 1; //! race observed LockNamesLibrary.byLock holding LockNamesLibrary.lock
        lock.unlock();
        keys.spare.lockInterruptibly();
        byInterruptible = 1; //! race observed LockNamesLibrary.byInterruptible holding LockNamesLibrary$Keys.spare
        keys.spare.unlock();
        if (Keys.SHARED.tryLock(1, TimeUnit.MINUTES)) {
            byShared = 1; //! race observed LockNamesLibrary.byShared holding LockNamesLibrary$Keys.SHARED
            Keys.SHARED.unlock();
        }
        first.lock(); second.lock();
        byTwo = 1; //! race observed LockNamesLibrary.byTwo holding LockNamesLibrary.first, LockNamesLibrary.second
        second.unlock();
        first.unlock();
    }

    void takeViews() {
        both.readLock().lock();
        int seen = byReader; //! race observed LockNamesLibrary.byReader holding LockNamesLibrary.both
        both.readLock().unlock();
        Lock writer = copied.writeLock();
        writer.lock();
        byWriter = 1 + seen; //! race observed LockNamesLibrary.byWriter holding LockNamesLibrary.copied
        writer.unlock();
        view.lock();
        //! race observed LockNamesLibrary.byView holding java.util.concurrent.locks.ReentrantReadWriteLock
        byView = 1;
        view.unlock();
        long stamp = stamped.writeLock();
        byStamp = 1; //! race observed LockNamesLibrary.byStamp holding LockNamesLibrary.stamped
        stamped.unlockWrite(stamp);
        viewed.asReadWriteLock().writeLock().lock();
        byStampedView = 1; //! race observed LockNamesLibrary.byStampedView holding LockNamesLibrary.viewed
        viewed.asReadWriteLock().writeLock().unlock();
    }

    void takeOthers(ReentrantLock given) {
        given.lock();
        byParameter = 1; //! race observed LockNamesLibrary.byParameter holding java.util.concurrent.locks.ReentrantLock
        given.unlock();
        ReentrantLock made = make();
        made.lock();
        byResult = 1; //! race observed LockNamesLibrary.byResult holding java.util.concurrent.locks.ReentrantLock
        made.unlock();
        map.computeIfAbsent("key", key -> {
            byMap = 1; //! race observed LockNamesLibrary.byMap holding java.util.Collections$SynchronizedMap
            return key;
        });
    }

    void write() {
        byLock = 2;
        byInterruptible = 2;
        byShared = 2;
        byTwo = 2;
        byReader = 2;
        byWriter = 2;
        byView = 2;
        byStamp = 2;
        byStampedView = 2;
        byParameter = 2;
        byResult = 2;
        byMap = 2;
    }

    public static void main(String[] arguments) {
        LockNamesLibrary names = new LockNamesLibrary();
        Threads.together(() -> {
            try {
                names.take(new Keys());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            names.takeViews();
            names.takeOthers(new ReentrantLock());
            Order.reach("taken");
        }, () -> {
            Order.await("taken");
            names.write();
        });
        System.out.println("ok");
    }
}
