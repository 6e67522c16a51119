import net.jcip.annotations.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** try, catch and finally; what an exception takes with it when it leaves. */
final class Exceptions {
    private final ReentrantLock lock = new ReentrantLock();
    @GuardedBy("lock") private int value;
    @GuardedBy("this") private int count;

    static void risky() throws IOException {
        throw new IOException();
    }

    void outOfSynchronized() {
        try {
            synchronized (this) {
                count++; // silent
                risky();
            }
        } catch (IOException e) {
            count--; // expect: guard-not-held; the exception has left the block
        } finally {
            count = 0; // expect: guard-not-held
        }
    }

    void insideSynchronized() {
        synchronized (this) {
            try {
                risky();
                count++; // silent
            } catch (IOException e) {
                count--; // silent
            } finally {
                count = 0; // silent
            }
            count++; // silent
        }
        count++; // expect: guard-not-held
    }

    void idiom() throws IOException {
        lock.lock();
        try {
            value++; // silent
            risky();
            value--; // silent
        } catch (IllegalStateException e) {
            value = 1; // silent
        } finally {
            value = 2; // silent
            lock.unlock();
        }
        value = 3; // expect: guard-not-held
    }

    void unlockedInFinallyTooEarly() {
        lock.lock();
        try {
            value++; // silent
        } finally {
            lock.unlock();
            value = 0; // expect: guard-not-held
        }
    }

    void unlockedOnlyWhenAllIsWell() {
        lock.lock();
        try {
            risky();
            lock.unlock();
        } catch (IOException e) {
            Thread.yield();
        }
        value = 2; // expect: guard-not-held; held after an exception, not held otherwise
    }

    void nestedFinally() throws IOException {
        lock.lock();
        try {
            synchronized (this) {
                try {
                    risky();
                    count++; // silent
                    value++; // silent
                } finally {
                    try {
                        count--; // silent
                        risky();
                    } finally {
                        count = value; // silent
                    }
                }
            }
            count++; // expect: guard-not-held
        } finally {
            value--; // silent
            count--; // expect: guard-not-held
            lock.unlock();
        }
    }

    int returnThroughFinally(boolean condition) {
        lock.lock();
        try {
            if (condition) {
                return value; // silent
            }
            return value + 1; // silent
        } finally {
            value++; // silent
            lock.unlock();
        }
    }

    void severalCatches(int kind) {
        try {
            lock.lock();
            risky();
            lock.unlock();
        } catch (IllegalStateException | IllegalArgumentException e) {
            value = kind; // expect: guard-not-held; lock or unlock may have thrown it
        } catch (IOException e) {
            lock.unlock();
            value = kind; // expect: guard-not-held
        }
    }

    void rethrown() {
        lock.lock();
        try {
            risky();
        } catch (IOException e) {
            value++; // silent
            lock.unlock();
            throw new IllegalStateException(e);
        }
        value--; // silent
        lock.unlock();
    }

    static final class Resource implements Closeable {
        @GuardedBy("this") private boolean open = true;

        @GuardedBy("this")
        void use() {
            open = open && true; // silent
        }

        @Override
        public void close() {
            open = false; // expect: guard-not-held
        }
    }

    void resources() throws IOException {
        try (Resource resource = new Resource()) {
            resource.use(); // expect: requires-not-held
            synchronized (resource) {
                resource.use(); // silent
            }
            value++; // expect: guard-not-held
        }
        lock.lock();
        try (Resource first = new Resource(); Resource second = new Resource()) {
            value++; // silent
            synchronized (first) {
                first.use(); // silent
                second.use(); // expect: requires-not-held
            }
        } catch (RuntimeException e) {
            value--; // silent
        } finally {
            lock.unlock();
        }
    }

    void loopWithFinally(int times) {
        while (times-- > 0) {
            lock.lock();
            try {
                if (value == times) { // silent
                    continue;
                }
                if (value > times) { // silent
                    break;
                }
                value++; // silent
            } finally {
                lock.unlock();
            }
            value--; // expect: guard-not-held
        }
    }
}
