import net.jcip.annotations.GuardedBy;

/** Interfaces, default methods, abstract classes and what the platform's classes declare. */
final class OverrideInterfaces {
    interface Store {
        @GuardedBy("this") default void put(String key) { }

        default void clear() { }
    }

    static class Right implements Store {
        @GuardedBy("this") private int size;

        @Override @GuardedBy("this") public void put(String key) { size++; } // silent

        @Override public synchronized void clear() { size = 0; } // silent
    }

    static class Inherits implements Store {
        @GuardedBy("this") private int size;

        @Override public void put(String key) { size++; } // silent: the interface's clause counts

        @Override public void clear() { size = 0; } // expect: guard-not-held
    }

    static class Wrong implements Store {
        private final Object lock = new Object();
        @GuardedBy("lock") private int size;

        @Override @GuardedBy("lock") public void put(String key) { size++; } // expect: override-mismatch

        @Override @GuardedBy("lock") public void clear() { size = 0; } // expect: override-mismatch
    }

    static class Task implements Runnable {
        @GuardedBy("this") private int runs;

        @Override @GuardedBy("this") public void run() { runs++; } // expect: override-mismatch
    }

    static class Printed {
        @GuardedBy("this") private int value;

        @Override @GuardedBy("this") public String toString() { return "" + value; } // expect: override-mismatch

        @Override public synchronized int hashCode() { return value; } // silent
    }

    abstract static class Shape {
        abstract double area();

        @GuardedBy("this") double scaled() { return 2 * area(); }
    }

    static final class Square extends Shape {
        @GuardedBy("this") private double side;

        @Override @GuardedBy("this") double area() { return side * side; } // expect: override-mismatch

        @Override @GuardedBy("this") double scaled() { return side; } // silent
    }

    static void callers(Store store, Inherits inherits) {
        store.put("a"); // expect: requires-not-held
        inherits.put("b"); // expect: requires-not-held
        synchronized (store) {
            store.put("c"); // silent
            inherits.put("d"); // expect: requires-not-held
        }
    }

    static Runnable anonymous() {
        return new Runnable() {
            @GuardedBy("this") private int runs;

            @Override @GuardedBy("this") public void run() { runs++; } // expect: override-mismatch
        };
    }
}
