import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;

/** Inner classes and what they are inside of. */
class BeliefOuter {
    /** The outer object's fields, from inside. */
    static class Outer {
        private int total;

        synchronized void add() {
            total++;
        }

        synchronized void remove() {
            total--;
        }

        class Inner {
            void fine() {
                synchronized (Outer.this) {
                    total = 0; // silent
                }
            }

            void wrong() {
                synchronized (this) {
                    total = 1; // expect: guard-not-held
                }
            }

            int bare() {
                return total; // expect: guard-not-held
            }
        }
    }

    /** The inner object's fields, guarded by the outer object. */
    static class List {
        private int size;

        class Cell {
            private Object item;

            void set(Object to) {
                synchronized (List.this) {
                    item = to;
                    size++;
                }
            }

            void clear() {
                synchronized (List.this) {
                    item = null;
                    size--;
                }
            }

            Object get() {
                synchronized (List.this) {
                    return item;
                }
            }

            Object bare() {
                return item; // expect: guard-not-held
            }

            synchronized Object own() {
                return item; // expect: guard-not-held; its own lock is another
            }
        }

        int size() {
            return size; // expect: guard-not-held
        }
    }

    /** A hierarchy of inner classes: each has its own name for the outer object. */
    static class Deque {
        private final ReentrantLock lock = new ReentrantLock();
        private Object first;
        private Object last;

        void addFirst(Object item) {
            lock.lock();
            try {
                first = item;
            } finally {
                lock.unlock();
            }
        }

        void addLast(Object item) {
            lock.lock();
            try {
                last = item;
            } finally {
                lock.unlock();
            }
        }

        void clear() {
            lock.lock();
            try {
                first = null;
                last = null;
            } finally {
                lock.unlock();
            }
        }

        boolean isEmpty() {
            return first == null; // expect: guard-not-held
        }

        boolean hasLast() {
            return last != null; // expect: guard-not-held
        }

        abstract class AbstractIterator implements Iterator<Object> {
            Object next;

            AbstractIterator() {
                lock.lock();
                try {
                    next = start();
                } finally {
                    lock.unlock();
                }
            }

            abstract Object start();

            @Override
            public boolean hasNext() {
                return next != null;
            }
        }

        class Forward extends AbstractIterator {
            @Override
            Object start() {
                return first; // silent
            }

            @Override
            public Object next() {
                return first; // expect: guard-not-held
            }
        }

        class Backward extends AbstractIterator {
            @Override
            Object start() {
                return last; // silent
            }

            @Override
            public Object next() {
                return next;
            }
        }
    }

    /** Private members of a nested class, by accessors in older class files. */
    static class Node {
        private Node next;
        private int rank;

        static class Chain {
            private final Node head = new Node();

            void link(Node node) {
                synchronized (node) {
                    node.next = head;
                    node.rank = 1;
                }
            }

            void unlink(Node node) {
                synchronized (node) {
                    node.next = null;
                    node.rank = 0;
                }
            }

            Node next(Node node) {
                return node.next; // expect: guard-not-held
            }

            int rank(Node node) {
                synchronized (head) {
                    return node.rank; // expect: guard-not-held
                }
            }
        }
    }

    /** Old class files. */
    static class Anonymous {
        private boolean stopped;
        private int runs;

        synchronized void stop() {
            stopped = true;
            runs = 0;
        }

        synchronized boolean isStopped() {
            return stopped && runs > 0;
        }

        synchronized void restart() {
            stopped = false;
            runs++;
        }

        Runnable task() {
            return new Runnable() {
                @Override
                public void run() {
                    while (!stopped) { // expect: guard-not-held
                        synchronized (Anonymous.this) {
                            runs++; // silent
                        }
                    }
                }
            };
        }
    }
}
