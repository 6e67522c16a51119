import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Read/write locks: the read lock is enough for reading, the write lock for both. */
final class ReadWrite {
    private final ReadWriteLock rw = new ReentrantReadWriteLock();
    @GuardedBy("rw") private int value;
    @GuardedBy("rw") private int[] table = new int[4];

    int read() {
        rw.readLock().lock();
        try {
            return value + table[0]; // silent
        } finally {
            rw.readLock().unlock();
        }
    }

    void write(int value) {
        rw.writeLock().lock();
        try {
            this.value = value; // silent
            table[0] += this.value; // silent
        } finally {
            rw.writeLock().unlock();
        }
    }

    void writeWhileReading(int value) {
        rw.readLock().lock();
        try {
            this.value = value; // expect: guard-not-held; others may read
            table[0] = value; // expect: guard-not-held
            value = this.value; // silent
        } finally {
            rw.readLock().unlock();
        }
    }

    void incrementWhileReading() {
        rw.readLock().lock();
        value++; // expect: guard-not-held
        rw.readLock().unlock();
    }

    int none() {
        value = 1; // expect: guard-not-held
        return value; // expect: guard-not-held
    }

    void downgrade() {
        rw.writeLock().lock();
        value++; // silent
        rw.readLock().lock();
        rw.writeLock().unlock();
        int copy = value; // silent
        value = copy + 1; // expect: guard-not-held
        rw.readLock().unlock();
        copy = value; // expect: guard-not-held
    }

    void released() {
        rw.readLock().lock();
        rw.readLock().unlock();
        int copy = value; // expect: guard-not-held
        rw.writeLock().lock();
        rw.writeLock().unlock();
        value = copy; // expect: guard-not-held
    }

    void locals() {
        Lock read = rw.readLock();
        Lock write = rw.writeLock();
        read.lock();
        int copy = value; // silent
        read.unlock();
        write.lock();
        value = copy; // silent
        write.unlock();
        value = copy; // expect: guard-not-held
    }

    void tried() {
        if (rw.writeLock().tryLock()) {
            value++; // silent
            rw.writeLock().unlock();
        }
        if (rw.readLock().tryLock()) {
            int copy = value; // silent
            value = copy; // expect: guard-not-held
            rw.readLock().unlock();
        }
    }

    @GuardedBy("rw")
    private void required() {
        value++; // silent
    }

    void calls() {
        required(); // expect: requires-not-held
        rw.writeLock().lock();
        required(); // silent
        rw.writeLock().unlock();
    }

    void eitherMode(boolean writing) {
        if (writing) {
            rw.writeLock().lock();
        } else {
            rw.readLock().lock();
        }
        int copy = value; // silent: one of them is held
        value = copy; // expect: guard-not-held
    }
}
