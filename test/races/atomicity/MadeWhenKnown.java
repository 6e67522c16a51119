import quiet.Threads;

/**
 * Wrong: the constructor makes the object known before it is done, so its last write can come between two reads that
 * should see the same.
 */
//! options: --atomicity blocks
public class MadeWhenKnown {
    private static final Object lock = new Object();
    private static Session session;

    static class Session {
        private int limit;

        Session() {
            synchronized (lock) {
                session = session == null ? this : session;
            }
            synchronized (lock) {
                limit = 10;
            }
        }
    }

    static void open() {
        new Session();
    }

    public static int limits(Session found) {
        int first;
        synchronized (lock) {
            first = found.limit;
        }
        synchronized (lock) {
            return first + found.limit; //! atomicity predicted MadeWhenKnown.limits
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
        Threads.inTurn(MadeWhenKnown::open, MadeWhenKnown::look);
        System.out.println("ok");
    }
}
