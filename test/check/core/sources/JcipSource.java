import net.jcip.annotations.GuardedBy;
import net.jcip.annotations.Immutable;
import net.jcip.annotations.NotThreadSafe;
import net.jcip.annotations.ThreadSafe;

/** The annotations of Java Concurrency in Practice. */
final class JcipSource {
    private final Object lock = new Object();
    private static final Object SHARED = new Object();
    @GuardedBy("lock") private int count;
    @GuardedBy("this") private String name = "";
    @GuardedBy("JcipSource.class") private static int total;
    @GuardedBy("JcipSource.SHARED") private long stamp;

    @GuardedBy("lock")
    void add(int more) {
        count += more; // silent
        name = "added"; // expect: guard-not-held
    }

    @GuardedBy("other")
    static int length(JcipSource other) {
        return other.name.length(); // silent
    }

    void right(JcipSource other) {
        synchronized (lock) {
            count++; // silent
            add(1); // silent
        }
        synchronized (this) {
            name = "right"; // silent
        }
        synchronized (JcipSource.class) {
            total++; // silent
        }
        synchronized (SHARED) {
            stamp++; // silent
        }
        synchronized (other) {
            int length = length(other); // silent
        }
    }

    void wrong(JcipSource other) {
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
