/** Comments, as the paper's tool reads them. */
final class CommentSource {
    private final Object lock = new Object();
    private static final Object SHARED = new Object();
    private int count /*# guarded_by lock */;
    private String name /*# guarded_by this */ = "";
    private static int total /*# guarded_by CommentSource.class */;
    private long stamp /*# guarded_by CommentSource.SHARED */;

    void add(int more) /*# requires lock */ {
        count += more; // silent
        name = "added"; // expect: guard-not-held
    }

    static int length(CommentSource other) /*# requires other */ {
        return other.name.length(); // silent
    }

    void right(CommentSource other) {
        synchronized (lock) {
            count++; // silent
            add(1); // silent
        }
        synchronized (this) {
            name = "right"; // silent
        }
        synchronized (CommentSource.class) {
            total++; // silent
        }
        synchronized (SHARED) {
            stamp++; // silent
        }
        synchronized (other) {
            int length = length(other); // silent
        }
    }

    void wrong(CommentSource other) {
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

    private int before = 1 /*# guarded_by this */; // behind the value
    /*# guarded_by this */ private int first; // before all of it
    private /*# guarded_by this */ int between;
    private int one /*# guarded_by this */, two /*# guarded_by lock */; // each has its own
    private volatile int written /*# write_guarded_by this */;

    void positions() {
        before++; // expect: guard-not-held
        first++; // expect: guard-not-held
        between++; // expect: guard-not-held
        one++; // expect: guard-not-held
        two++; // expect: guard-not-held
        written = written + 1; // expect: guard-not-held
        synchronized (this) {
            before = first + between + one; // silent
            two++; // expect: guard-not-held
            written++; // silent
        }
        synchronized (lock) {
            two++; // silent
        }
    }

    // # guarded_by missing: an ordinary comment
    /* # guarded_by missing: and another one */
    private final String text = "/*# guarded_by missing */"; // silent: a string

    /*# thread_local */ static class Local {
        int value;

        void change() {
            value++; // silent
        }
    }

    private static Object kept;

    static void keep(Local local) {
        kept = local; // expect: thread-local-escape
    }

    static class Fixed /*# immutable */ {
        int value = 1; // silent

        void change() {
            value = 2; // expect: readonly-written
        }
    }
}
