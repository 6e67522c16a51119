import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/** Loops: what holds at their head holds each time round. */
final class Loops {
    private final ReentrantLock lock = new ReentrantLock();
    @GuardedBy("lock") private int value;
    @GuardedBy("this") private int count;

    void around(int times) {
        lock.lock();
        for (int i = 0; i < times; i++) {
            value += i; // silent
        }
        lock.unlock();
        while (times-- > 0) {
            value--; // expect: guard-not-held
        }
    }

    void inside(int times) {
        for (int i = 0; i < times; i++) {
            lock.lock();
            value += i; // silent
            lock.unlock();
            value += i; // expect: guard-not-held
        }
        value = 0; // expect: guard-not-held
    }

    void heldFirstTimeOnly(int times) {
        lock.lock();
        while (times-- > 0) {
            value++; // expect: guard-not-held; the second time it is given back
            if (lock.isLocked()) {
                lock.unlock();
            }
        }
    }

    void again(int times) {
        lock.lock();
        do {
            value++; // silent
            lock.unlock();
            Thread.yield();
            lock.lock();
            value--; // silent
        } while (times-- > 0);
        value = times; // silent
        lock.unlock();
    }

    void condition(int limit) {
        while (count < limit) { // expect: guard-not-held
            synchronized (this) {
                count++; // silent
            }
        }
        synchronized (this) {
            while (count > 0) { // silent
                count--; // silent
            }
        }
    }

    synchronized void forHeader(int limit) {
        for (count = 0; count < limit; count++) { // silent
            value = count; // expect: guard-not-held
        }
    }

    void forHeaderWithout(int limit) {
        for (count = 0; count < limit; count++) { // expect: guard-not-held
            synchronized (this) {
                count += 2; // silent
            }
        }
    }

    void breaks(int[] numbers) {
        for (int number : numbers) {
            lock.lock();
            if (number == 0) {
                value = number; // silent
                break; // leaves with the lock held
            }
            lock.unlock();
            if (number == 1) {
                value = 1; // expect: guard-not-held
                continue;
            }
            number--;
        }
        value++; // expect: guard-not-held; the loop also ends without it
    }

    void labels(int[][] table) {
        lock.lock();
        outer:
        for (int[] row : table) {
            for (int cell : row) {
                if (cell < 0) {
                    value++; // silent
                    continue outer;
                }
                if (cell == 0) {
                    lock.unlock();
                    break outer;
                }
                value += cell; // silent: break is the only way out without it
            }
        }
        value++; // expect: guard-not-held
    }

    void labelledBlock(boolean condition) {
        block: {
            synchronized (this) {
                if (condition) {
                    count++; // silent
                    break block;
                }
                count--; // silent
            }
            count = 0; // expect: guard-not-held
        }
        count = 1; // expect: guard-not-held
    }

    void endless() {
        lock.lock();
        for (;;) {
            if (value++ > 100) { // silent
                break;
            }
        }
        value = 0; // silent
        lock.unlock();
    }
}
