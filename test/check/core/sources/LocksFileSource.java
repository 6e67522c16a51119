/** A file of lock types, which needs nothing in the program. */
final class LocksFileSource {
    private final Object lock = new Object();
    private static final Object SHARED = new Object();
    private int count;
    private String name = "";
    private static int total;
    private long stamp;

    void add(int more) {
        count += more; // silent
        name = "added"; // expect: guard-not-held
    }

    static int length(LocksFileSource other) {
        return other.name.length(); // silent
    }

    void right(LocksFileSource other) {
        synchronized (lock) {
            count++; // silent
            add(1); // silent
        }
        synchronized (this) {
            name = "right"; // silent
        }
        synchronized (LocksFileSource.class) {
            total++; // silent
        }
        synchronized (SHARED) {
            stamp++; // silent
        }
        synchronized (other) {
            int length = length(other); // silent
        }
    }

    void wrong(LocksFileSource other) {
        count++; // expect: guard-not-held
        name = "wrong"; // expect: guard-not-held
        total++; // expect: guard-not-held
        stamp++; // expect: guard-not-held
        add(1); // expect: requires-not-held
        synchronized (this) {
            count = 2; // expect: guard-not-held
            int length = length(other); // expect: requires-not-held
        }
        synchronized (lock) {
            other.count++; // expect: guard-not-held
            count++; // silent
        }
    }

    private volatile int written;

    void writes() {
        int copy = written; // silent
        written = copy + 1; // expect: guard-not-held
        synchronized (this) {
            written++; // silent
        }
    }

    static class Nested {
        private final Object mutex = new Object();
        private int value;

        Nested(Object parent) {
            value = 1; // silent
        }

        void change() {
            value++; // silent
        }

        void change(int by) {
            value += by; // expect: guard-not-held; another method of that name
        }
    }

    static void nested(Nested nested, Object parent) {
        nested.change(); // expect: requires-not-held
        nested.change(1); // silent
        synchronized (nested.mutex) {
            nested.change(); // silent
            nested.value = 3; // silent
        }
        new Nested(parent); // expect: requires-not-held
        synchronized (parent) {
            new Nested(parent); // silent
        }
    }

    static class Local {
        int value;

        void change() {
            value++; // silent
        }
    }

    private static Object kept;

    static void keep(Local local) {
        kept = local; // expect: thread-local-escape
    }

    static class Fixed {
        int value = 1; // silent

        void change() {
            value = 2; // expect: readonly-written
        }
    }
}
