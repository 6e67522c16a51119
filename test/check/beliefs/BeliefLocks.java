import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks of java.util.concurrent. */
class BeliefLocks {
    static class Plain {
        private final ReentrantLock lock = new ReentrantLock();
        private int value;

        void set(int to) {
            lock.lock();
            try {
                value = to;
            } finally {
                lock.unlock();
            }
        }

        boolean trySet(int to) {
            if (lock.tryLock()) {
                try {
                    value = to; // silent
                    return true;
                } finally {
                    lock.unlock();
                }
            }
            return value == to; // expect: guard-not-held; it could not be had
        }

        int get() {
            lock.lock();
            try {
                return value; // silent
            } finally {
                lock.unlock();
            }
        }

        void double_() {
            lock.lock();
            try {
                value = value * 2;
            } finally {
                lock.unlock();
            }
        }

        int late() {
            lock.lock();
            lock.unlock();
            return value; // expect: guard-not-held
        }

        synchronized int monitor() {
            return -value; // expect: guard-not-held; another lock
        }
    }

    static class ReadWrite {
        private final ReadWriteLock rw = new ReentrantReadWriteLock();
        private final Lock reading = rw.readLock();
        private final Lock writing = rw.writeLock();
        private int value;
        private int hits;

        int get() {
            reading.lock();
            try {
                return value; // silent
            } finally {
                reading.unlock();
            }
        }

        boolean isSet() {
            rw.readLock().lock();
            try {
                return value != 0; // silent
            } finally {
                rw.readLock().unlock();
            }
        }

        void set(int to) {
            writing.lock();
            try {
                value = to;
                hits = 0;
            } finally {
                writing.unlock();
            }
        }

        void clear() {
            rw.writeLock().lock();
            try {
                value = 0;
                hits = hits / 2;
            } finally {
                rw.writeLock().unlock();
            }
        }

        int hits() {
            rw.readLock().lock();
            try {
                return hits; // silent
            } finally {
                rw.readLock().unlock();
            }
        }

        int bare() {
            return value; // expect: guard-not-held
        }

        void hit() {
            reading.lock();
            try {
                hits++; // expect: guard-not-held; for reading only
            } finally {
                reading.unlock();
            }
        }
    }

    /** The same lock by another name. */
    static class Named {
        private final Object mutex = new Object();
        private final Object alias = mutex;
        private int value;

        void set(int to) {
            synchronized (mutex) {
                value = to;
            }
        }

        void clear() {
            synchronized (alias) {
                value = 0; // silent
            }
        }

        int get() {
            Object local = mutex;
            synchronized (local) {
                return value; // silent
            }
        }

        int bare() {
            return value; // expect: guard-not-held
        }
    }

    /** Hidden behind methods: those who take the lock and those who give it back. */
    static class Handed {
        private final ReentrantLock mutex = new ReentrantLock();
        private int state;

        void begin() {
            mutex.lock();
            state = 1;
        }

        void end() {
            state = 2; // silent: the lock is there to be given back
            mutex.unlock();
        }

        void both() {
            mutex.lock();
            try {
                state = 3;
            } finally {
                mutex.unlock();
            }
        }

        int peek() {
            return state; // expect: guard-not-held
        }
    }
}
