import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/**
 * Right: blocks of all kinds, executed often enough that most executions are not looked at, in ways that make it hard to
 * look at some: locks that are taken in one block and given up in another, blocks deep in blocks, blocks that end with
 * an exception, that wait, that try; and blocks that are seldom around those.
 */
public class ManyExecutionsRight {
    private static final int ROUNDS = 40;
    private static final int TIMES = 150;
    private final ReentrantLock lock = new ReentrantLock();
    private int guarded;
    private final Object monitor = new Object();
    private int inMonitor;
    private int full;

    public void take() {
        lock.lock();
    }

    public void give() {
        lock.unlock();
    }

    public boolean attempt() {
        return lock.tryLock();
    }

    public void add(int much) {
        guarded += much;
    }

    /** Seldom, with blocks in it that are not. */
    public void seldom() {
        take();
        for (int i = 0; i < TIMES; i++) {
            add(1);
            take();
            add(-1);
            give();
        }
        give();
    }

    public void often() {
        if (attempt()) {
            try {
                add(2);
            } finally {
                give();
            }
        }
    }

    public synchronized int deep(int levels) {
        return levels == 0 ? inMonitor() : deep(levels - 1) + 1;
    }

    public int inMonitor() {
        synchronized (monitor) {
            return inMonitor++ & 1;
        }
    }

    public void fails(int number) {
        synchronized (monitor) {
            inMonitor++;
            if (number % 3 == 0) {
                throw new IllegalArgumentException();
            }
        }
    }

    private synchronized void pass(int from, int to) {
        while (full != from) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        full = to;
        notifyAll();
    }

    private void work(int from) {
        for (int round = 0; round < ROUNDS; round++) {
            seldom();
            for (int i = 0; i < TIMES; i++) {
                often();
                try {
                    fails(i);
                } catch (IllegalArgumentException e) {
                    inMonitor();
                }
                pass(from, 1 - from);
            }
            deep(200);
        }
    }

    public static void main(String[] arguments) {
        ManyExecutionsRight shared = new ManyExecutionsRight();
        Threads.together(() -> shared.work(0), () -> shared.work(1));
        System.out.println(shared.full == 0 && shared.guarded % 2 == 0 ? "ok" : "wrong");
    }
}
