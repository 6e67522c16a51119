import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.errorprone.annotations.Immutable;

/** The annotation of Error Prone, which may name several locks. */
final class ErrorProneSource {
    private final Object lock = new Object();
    private static final Object SHARED = new Object();
    @GuardedBy("lock") private int count;
    @GuardedBy("this") private String name = "";
    @GuardedBy("ErrorProneSource.class") private static int total;
    @GuardedBy("ErrorProneSource.SHARED") private long stamp;

    @GuardedBy("lock")
    void add(int more) {
        count += more; // silent
        name = "added"; // expect: guard-not-held
    }

    @GuardedBy("other")
    static int length(ErrorProneSource other) {
        return other.name.length(); // silent
    }

    void right(ErrorProneSource other) {
        synchronized (lock) {
            count++; // silent
            add(1); // silent
        }
        synchronized (this) {
            name = "right"; // silent
        }
        synchronized (ErrorProneSource.class) {
            total++; // silent
        }
        synchronized (SHARED) {
            stamp++; // silent
        }
        synchronized (other) {
            int length = length(other); // silent
        }
    }

    void wrong(ErrorProneSource other) {
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

    @GuardedBy({"lock", "this"}) private int both;

    void severalLocks() {
        synchronized (lock) {
            both++; // expect: guard-not-held
            synchronized (this) {
                both++; // silent
            }
        }
    }

    @Immutable
    static class Fixed {
        int value = 1; // silent

        void change() {
            value = 2; // expect: readonly-written
        }
    }
}
