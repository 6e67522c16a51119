import quiet.Threads;

/**
 * Wrong: the method makes the object known before it is done, so its last write can come between two reads that should
 * see the same.
 */
//! options: --atomicity blocks
public class MadeHereWhenKnown {
    private static final Object lock = new Object();
    private static Session session;

    static class Session {
        private int limit;
    }

    static void open() {
        Session made = new Session();
        synchronized (lock) {
            session = session == null ? made : session;
        }
        synchronized (lock) {
            made.limit = 10;
        }
    }

    public static int limits(Session found) {
        int first;
        synchronized (lock) {
            first = found.limit;
        }
        synchronized (lock) {
            return first + found.limit; //! atomicity predicted MadeHereWhenKnown.limits
        }
    }

    static void look() {
        Session found;
        synchronized (lock) {
            found = session;
        }
        limits(found);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(MadeHereWhenKnown::open, MadeHereWhenKnown::look);
        System.out.println("ok");
    }
}
