import org.checkerframework.checker.lock.qual.GuardedBy;
import org.checkerframework.checker.lock.qual.Holding;

/** The Checker Framework: a type annotation, and Holding for what a method requires; parameters go by number. */
final class CheckerSource {
    private final Object lock = new Object();
    private static final Object SHARED = new Object();
    @GuardedBy("lock") private int count;
    @GuardedBy("this") private String name = "";
    @GuardedBy("CheckerSource.class") private static int total;
    @GuardedBy("CheckerSource.SHARED") private long stamp;

    @Holding("lock")
    void add(int more) {
        count += more; // silent
        name = "added"; // expect: guard-not-held
    }

    @Holding("#1")
    static int length(CheckerSource other) {
        return other.name.length(); // silent
    }

    void right(CheckerSource other) {
        synchronized (lock) {
            count++; // silent
            add(1); // silent
        }
        synchronized (this) {
            name = "right"; // silent
        }
        synchronized (CheckerSource.class) {
            total++; // silent
        }
        synchronized (SHARED) {
            stamp++; // silent
        }
        synchronized (other) {
            int length = length(other); // silent
        }
    }

    void wrong(CheckerSource other) {
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

    static final class Box {
        int content;
    }

    private final @GuardedBy("lock") Box box = new Box();
    private @GuardedBy("lock") int @GuardedBy("this") [] numbers = {1}; // the array's own annotation is the second

    void boxes() {
        synchronized (lock) {
            box.content = 1; // silent
        }
        box.content = 2; // expect: guard-not-held
    }

    void arrays() {
        synchronized (this) {
            int length = numbers.length; // silent
        }
        int length = numbers.length; // expect: guard-not-held
    }

    @Holding({"lock", "this"})
    void both() {
        count = 1; // silent
        name = ""; // silent
    }

    void callBoth() {
        synchronized (lock) {
            both(); // expect: requires-not-held
            synchronized (this) {
                both(); // silent
            }
        }
    }
}
