/** Guarded by the object itself, for all that its methods tell. */
class BeliefThis {
    /** Three methods keep to it, one does not. */
    static class Counter {
        private int count;

        synchronized void add() {
            count++;
        }

        synchronized void remove() {
            count--;
        }

        synchronized boolean isEmpty() {
            return count == 0;
        }

        int get() {
            return count; // expect: guard-not-held
        }
    }

    /** A write without the lock. */
    static class Gauge {
        private long level;

        synchronized void raise(long by) {
            level += by;
        }

        synchronized void lower(long by) {
            level -= by;
        }

        void reset() {
            level = 0; // expect: guard-not-held
        }
    }

    /** Looking first and locking then. */
    static class Lazy {
        private Object made;
        private int uses;

        Object get() {
            if (made == null) { // expect: guard-not-held
                synchronized (this) {
                    if (made == null) {
                        made = new Object();
                    }
                }
            }
            synchronized (this) {
                uses++;
                return made;
            }
        }

        synchronized void drop() {
            made = null;
            uses = 0;
        }

        synchronized int uses() {
            return uses;
        }
    }

    /** Blocks are as good as methods. */
    static class Blocks {
        private String name = "";
        private int changes;

        void rename(String to) {
            synchronized (this) {
                name = to;
                changes++;
            }
        }

        void clear() {
            synchronized (this) {
                name = "";
                changes++;
            }
            changes++; // expect: guard-not-held
        }

        String describe() {
            String text;
            synchronized (this) {
                text = name + changes;
            }
            return text;
        }

        boolean isNamed() {
            return !name.isEmpty(); // expect: guard-not-held
        }
    }

    /** Everything is as it should be. */
    static class Right {
        private int low;
        private int high;

        synchronized void set(int from, int to) {
            low = from; // silent
            high = to; // silent
        }

        synchronized int size() {
            return high - low; // silent
        }

        synchronized boolean has(int value) {
            return low <= value && value < high; // silent
        }
    }

    /** No lock is ever held for it. */
    static class Unlocked {
        private int value;
        private int other;

        void set(int to) {
            value = to; // silent: nothing is believed
        }

        int get() {
            return value; // silent
        }

        synchronized int mix() {
            return other + value; // silent: one access under a lock is chance
        }

        void setOther(int to) {
            other = to; // silent: half of the accesses at most
        }
    }

    /** Kinds of fields about which nothing is believed. */
    static class Special {
        private volatile int flag;
        private final int[] cells = new int[4];
        private int fixed = 3;

        synchronized void a() {
            flag = 1;
            cells[0] = fixed;
        }

        synchronized void b() {
            flag = 2;
            cells[1] = fixed;
        }

        synchronized int c() {
            return flag + cells[2] + fixed;
        }

        int bare() {
            return flag // silent: volatile
                    + cells.length // silent: final
                    + fixed; // silent: never written after construction
        }
    }

    /** wait gives the lock up and has it again. */
    static class Queue {
        private int filled;
        private boolean closed;

        synchronized void put() throws InterruptedException {
            while (filled == 4 && !closed) {
                wait();
            }
            filled++;
            notifyAll();
        }

        synchronized void take() throws InterruptedException {
            while (filled == 0 && !closed) {
                wait();
            }
            filled--; // silent
            notifyAll();
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }

        boolean isClosed() {
            return closed; // expect: guard-not-held
        }

        int filled() {
            return filled; // expect: guard-not-held
        }
    }
}
