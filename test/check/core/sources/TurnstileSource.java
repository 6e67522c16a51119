import turnstile.annotation.GuardedBy;
import turnstile.annotation.Formals;
import turnstile.annotation.Immutable;
import turnstile.annotation.NotThreadSafe;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;
import turnstile.annotation.ThreadSafe;
import turnstile.annotation.WriteGuardedBy;

/** Our own annotations. */
final class TurnstileSource {
    private final Object lock = new Object();
    private static final Object SHARED = new Object();
    @GuardedBy("lock") private int count;
    @GuardedBy("this") private String name = "";
    @GuardedBy("TurnstileSource.class") private static int total;
    @GuardedBy("TurnstileSource.SHARED") private long stamp;

    @Requires("lock")
    void add(int more) {
        count += more; // silent
        name = "added"; // expect: guard-not-held
    }

    @Requires("other")
    static int length(TurnstileSource other) {
        return other.name.length(); // silent
    }

    void right(TurnstileSource other) {
        synchronized (lock) {
            count++; // silent
            add(1); // silent
        }
        synchronized (this) {
            name = "right"; // silent
        }
        synchronized (TurnstileSource.class) {
            total++; // silent
        }
        synchronized (SHARED) {
            stamp++; // silent
        }
        synchronized (other) {
            int length = length(other); // silent
        }
    }

    void wrong(TurnstileSource other) {
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

    @WriteGuardedBy("this") private volatile int written;
    @GuardedBy({"lock", "this"}) private int both;

    @Requires("parent")
    TurnstileSource(Object parent) {
        both = 1; // silent
    }

    static void make(Object parent) {
        new TurnstileSource(parent); // expect: requires-not-held
        synchronized (parent) {
            new TurnstileSource(parent); // silent
        }
    }

    void more() {
        int copy = written; // silent
        written = copy; // expect: guard-not-held
        synchronized (this) {
            written = copy; // silent
            both++; // expect: guard-not-held
            synchronized (lock) {
                both++; // silent
            }
        }
    }

    @Formals("ghost TurnstileSource owner")
    static class Node {
        @GuardedBy("owner") int value;

        @Requires("owner")
        void change() {
            value++; // silent
        }
    }

    @GuardedBy("this") private @Owners("this") Node head;

    synchronized void nodes() {
        head = new @Owners("this") Node(); // silent
        head.value = 1; // silent: the list owns its nodes
        head.change(); // silent
    }

    void nodesWithout() {
        Node node;
        synchronized (this) {
            node = head; // silent
            node.change(); // silent
        }
        node.value = 2; // expect: guard-not-held
        node.change(); // expect: requires-not-held
    }

    @Immutable
    static class Fixed {
        int value = 1; // silent

        void change() {
            value = 2; // expect: readonly-written
        }
    }

    @NotThreadSafe
    static class Local {
        int value;

        void change() {
            value++; // silent
        }
    }

    @ThreadSafe
    static class Holder {
        private Object kept;

        void keep(Local local) {
            kept = local; // silent: it needs a lock, but nobody says that it stays with its thread
        }
    }
}
