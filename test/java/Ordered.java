import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Everything is guarded, by many locks that go from thread to thread in all ways: whatever the order in which that
 * happens, there is nothing to find, if the recorded order is one that can have happened.
 *
 *     Ordered [virtual]: every other thread is a virtual one
 */
public final class Ordered {
    private static final int THREADS = 4;
    private static final int STEPS = 15_000;
    private static final int CELLS = 20_000; // so many that some share a place in tables by lock
    private static final int HOT = 16;

    static final class Cell {
        private int value;
        private final int[] last = new int[4];

        synchronized int value() {
            return value;
        }
    }

    static final class Guarded {
        private final ReentrantLock lock = new ReentrantLock();
        private int value;
    }

    private static final Cell[] cells = new Cell[CELLS];
    private static final Guarded[] guarded = new Guarded[HOT];

    private static void change(Cell cell, int by) {
        cell.value += by;
        cell.last[cell.value & 3] = by;
    }

    private static void changeTwo(int left, int right) {
        synchronized (cells[Math.min(left, right)]) {
            synchronized (cells[Math.max(left, right)]) {
                change(cells[left], 1);
                change(cells[right], -1);
            }
        }
    }

    private static void changeGuarded(Guarded one) {
        one.lock.lock();
        try {
            one.value++;
        } finally {
            one.lock.unlock();
        }
    }

    private static void changeAndWait(Cell cell) throws InterruptedException {
        synchronized (cell) {
            change(cell, 1);
            cell.wait(0, 1000);
            change(cell, 1);
        }
    }

    private static void run(int seed) {
        long random = seed * 0x9E3779B97F4A7C15L + 1;
        for (int i = 0; i < STEPS; i++) {
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            int hot = (int) (random >>> 20) & HOT - 1;
            int any = (int) ((random >>> 33) % CELLS);
            try {
                if (i % 512 == 511) {
                    changeAndWait(cells[hot]);
                } else if ((random & 7) == 0) {
                    changeGuarded(guarded[hot]);
                } else {
                    changeTwo(hot, any);
                }
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < CELLS; i++) {
            cells[i] = new Cell();
        }
        for (int i = 0; i < HOT; i++) {
            guarded[i] = new Guarded();
        }
        ThreadFactory factory = Thread::new;
        if (arguments.length > 0) { // known to newer JDKs only
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            factory = (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        }
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            Runnable task = () -> run(seed);
            threads[i] = i % 2 == 0 ? new Thread(task) : factory.newThread(task);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int sum = 0;
        for (Cell cell : cells) {
            sum += cell.value();
        }
        System.out.println(sum);
    }
}
