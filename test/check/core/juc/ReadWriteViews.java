import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The two views of a read/write lock, kept in final fields. */
final class ReadWriteViews {
    private final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
    private final Lock read = rw.readLock();
    private final Lock write = rw.writeLock();
    private final ReentrantReadWriteLock.ReadLock exactRead = rw.readLock();
    private final ReentrantReadWriteLock.WriteLock exactWrite = rw.writeLock();
    @GuardedBy("rw") private int value;
    @GuardedBy("write") private int written;

    int get() {
        read.lock();
        try {
            return value; // silent
        } finally {
            read.unlock();
        }
    }

    void set(int value) {
        write.lock();
        try {
            this.value = value; // silent
            written++; // silent
        } finally {
            write.unlock();
        }
    }

    void setWhileReading(int value) {
        read.lock();
        this.value = value; // expect: guard-not-held
        written = value; // expect: guard-not-held
        read.unlock();
        this.value = value; // expect: guard-not-held
    }

    void exact(int value) {
        exactRead.lock();
        int copy = this.value; // silent
        exactRead.unlock();
        exactWrite.lock();
        this.value = value + copy; // silent
        exactWrite.unlock();
        this.value = copy; // expect: guard-not-held
    }

    void mixed(int value) {
        rw.writeLock().lock();
        this.value = value; // silent
        written = value; // silent: write is rw.writeLock()
        write.unlock();
        this.value = value; // expect: guard-not-held; given back by its other name
    }

    void none() {
        written++; // expect: guard-not-held
        int copy = value; // expect: guard-not-held
    }

    void other(ReadWriteViews other) {
        other.write.lock();
        other.value++; // silent
        value++; // expect: guard-not-held
        other.write.unlock();
    }
}
