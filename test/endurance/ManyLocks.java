import java.util.concurrent.locks.ReentrantLock;

/**
 * Very many locks, all alive; each guards its own data, and neighbours are held together. Then as many that die.
 *
 *     ManyLocks [LOCKS]
 */
public class ManyLocks {
    static final class Cell {
        private int value;
        private Cell next;

        synchronized void add(int by) {
            value += by;
        }

        /** Both locks are held, so these two are a set of locks that no other pair has. */
        void move(int amount) {
            synchronized (this) {
                synchronized (next) {
                    value -= amount;
                    next.value += amount;
                }
            }
        }
    }

    static final class Explicit {
        private final ReentrantLock lock = new ReentrantLock();
        private int value;

        void add() {
            lock.lock();
            try {
                value++;
            } finally {
                lock.unlock();
            }
        }
    }

    /** All threads go over all of it, each in its own direction, so that most data is really shared. */
    static void overAll(int threads, int count, java.util.function.BiConsumer<Integer,
            Integer> body) throws InterruptedException {
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int thread = t;
            all[t] = new Thread(() -> {
                for (int i = 0; i < count; i++) {
                    body.accept(thread, thread % 2 == 0 ? i : count - 1 - i);
                }
            });
            all[t].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        Cell[] cells = new Cell[count + 1];
        for (int i = count; i >= 0; i--) {
            cells[i] = new Cell();
            cells[i].next = i < count ? cells[i + 1] : null;
        }
        overAll(2, count, (thread, i) -> cells[i].add(i % 10));
        overAll(2, count, (thread, i) -> cells[i].move(1));
        long sum = 0;
        for (Cell cell : cells) {
            sum += cell.value;
        }
        System.out.println("locks " + count + ", sum " + sum);

        Explicit[] explicit = new Explicit[count / 5];
        for (int i = 0; i < explicit.length; i++) {
            explicit[i] = new Explicit();
        }
        overAll(2, explicit.length, (thread, i) -> explicit[i].add());
        int added = 0;
        for (Explicit one : explicit) {
            added += one.value;
        }
        System.out.println("explicit " + added);

        Status.report("tenth");
        /* A million more, few at a time. */
        for (int round = 0; round < 100; round++) {
            Cell[] some = new Cell[count / 100];
            for (int i = 0; i < some.length; i++) {
                some[i] = new Cell();
            }
            overAll(2, some.length, (thread, i) -> some[i].add(1));
        }
        Status.end();
    }
}
