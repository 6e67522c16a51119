/** Locks that are for writing only: reads go without, and that is how it is meant. */
class BeliefWrites {
    /** Three writes hold it, reads never do; the fourth write is one too many without. */
    static class Published {
        private Object[] items = new Object[0];

        synchronized void add(Object item) {
            Object[] more = new Object[4];
            more[0] = item;
            items = more;
        }

        synchronized void remove() {
            items = new Object[1];
        }

        synchronized void clear() {
            items = new Object[0];
        }

        void replace(Object[] by) {
            items = by; // expect: guard-not-held
        }

        Object[] items() {
            return items; // silent
        }

        int size() {
            return items.length; // silent
        }

        Object first() {
            return items[0]; // silent
        }

        Object last() {
            return items[items.length - 1]; // silent
        }

        boolean has(Object item) {
            return items[0] == item; // silent
        }

        boolean isEmpty() {
            return items.length == 0; // silent
        }
    }

    /** Two writes of three: less than three quarters. */
    static class TooFew {
        private Object item;

        synchronized void one() {
            item = new Object();
        }

        synchronized void two() {
            item = null;
        }

        void three(Object by) {
            item = by; // silent
        }

        Object a() {
            return item; // silent
        }

        Object b() {
            return item; // silent
        }

        Object c() {
            return item; // silent
        }
    }

    /** Three of five: neither. */
    static class Below {
        private Object item;

        synchronized void one() {
            item = new Object();
        }

        synchronized void two() {
            item = null;
        }

        synchronized void three() {
            item = this;
        }

        void four(Object by) {
            item = by; // silent
        }

        void five() {
            item = "five"; // silent
        }

        Object a() {
            return item; // silent
        }

        Object b() {
            return item; // silent
        }
    }

    /** All writes hold it: there is nothing to say about the reads. */
    static class Kept {
        private long sum;

        synchronized void one() {
            sum = 1;
        }

        synchronized void two() {
            sum = 2;
        }

        synchronized void three() {
            sum = 3;
        }

        long a() {
            return sum; // silent
        }

        long b() {
            return sum + 1; // silent
        }

        long c() {
            return sum + 2; // silent
        }

        long d() {
            return sum + 3; // silent
        }
    }
}
