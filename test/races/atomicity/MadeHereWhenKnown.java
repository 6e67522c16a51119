import quiet.Threads;

/**
 * Wrong: the method makes the object known before it is done, so its last write can come between two reads that should
 * see the same.
 */
public class MadeHereWhenKnown {
    private static final Object lock = new Object();
    private static Session session;

    static class Session {
        private int limit;
    }

    static void open() {
        Session made = new Session();
        synchronized (lock) {
            session = made;
        }
        synchronized (lock) {
            made.limit = 10;
        }
    }

    public static int limits() {
        int first;
        synchronized (lock) {
            first = session.limit;
        }
        synchronized (lock) { //! atomicity predicted MadeHereWhenKnown.limits
            return first + session.limit; //! atomicity predicted MadeHereWhenKnown.limits
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(MadeHereWhenKnown::open, MadeHereWhenKnown::limits);
        System.out.println("ok");
    }
}
