import quiet.Threads;

/**
 * Wrong: the constructor makes the object known before it is done, so its last write can come between two reads that
 * should see the same.
 */
public class MadeWhenKnown {
    private static final Object lock = new Object();
    private static Session session;

    static class Session {
        private int limit;

        Session() {
            synchronized (lock) {
                session = this;
            }
            synchronized (lock) {
                limit = 10;
            }
        }
    }

    static void open() {
        new Session();
    }

    public static int limits() {
        int first;
        synchronized (lock) {
            first = session.limit;
        }
        synchronized (lock) { //! atomicity predicted MadeWhenKnown.limits
            return first + session.limit; //! atomicity predicted MadeWhenKnown.limits
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(MadeWhenKnown::open, MadeWhenKnown::limits);
        System.out.println("ok");
    }
}
