import com.google.errorprone.annotations.GuardedBy;

/** The annotation of Error Prone by its older name. */
final class ErrorProneOldSource {
    private final Object lock = new Object();
    private static final Object SHARED = new Object();
    @GuardedBy("lock") private int count;
    @GuardedBy("this") private String name = "";
    @GuardedBy("ErrorProneOldSource.class") private static int total;
    @GuardedBy("ErrorProneOldSource.SHARED") private long stamp;

    @GuardedBy("lock")
    void add(int more) {
        count += more; // silent
        name = "added"; // expect: guard-not-held
    }

    @GuardedBy("other")
    static int length(ErrorProneOldSource other) {
        return other.name.length(); // silent
    }

    void right(ErrorProneOldSource other) {
        synchronized (lock) {
            count++; // silent
            add(1); // silent
        }
        synchronized (this) {
            name = "right"; // silent
        }
        synchronized (ErrorProneOldSource.class) {
            total++; // silent
        }
        synchronized (SHARED) {
            stamp++; // silent
        }
        synchronized (other) {
            int length = length(other); // silent
        }
    }

    void wrong(ErrorProneOldSource other) {
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
}
