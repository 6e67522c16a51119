/** A lock that may be replaced protects nothing: told where it is named, and the guard then counts as not said. */
final class LockNotFinal {
    private Object changing = new Object();
    private volatile Object published = new Object();
    private static Object ofClass = new Object();
    private Object once = new Object(); // nobody assigns it again: as good as final
    private final Holder holder = new Holder();
    private int first /*# guarded_by changing */; // expect: lock-not-final
    private int second /*# guarded_by this.changing */; // expect: lock-not-final
    private int third /*# guarded_by published */; // expect: lock-not-final
    private int fourth /*# guarded_by ofClass */; // expect: lock-not-final
    private int fifth /*# guarded_by holder.current */; // expect: lock-not-final
    private int sixth /*# guarded_by holder.current.mutex */; // expect: lock-not-final
    private int seventh /*# write_guarded_by changing */; // expect: lock-not-final
    private int eighth /*# guarded_by getChanging() */; // expect: lock-not-final
    private int right /*# guarded_by once */; // silent
    private int path /*# guarded_by holder.fixed.mutex */; // silent

    static final class Holder {
        Part current = new Part();
        final Part fixed = new Part();

        void replace() {
            current = new Part();
        }
    }

    static final class Part {
        final Object mutex = new Object();
    }

    Object getChanging() {
        return changing;
    }

    void replace() {
        changing = new Object();
        published = new Object();
        ofClass = new Object();
    }

    void locked() {
        synchronized (changing) { // silent: to lock such an object is no fault by itself
            first++; // silent
            second++; // silent
            seventh++; // silent
        }
        synchronized (published) { // silent
            third++; // silent
        }
        synchronized (ofClass) { // silent
            fourth++; // silent
        }
    }

    void goesOn() {
        right++; // expect: guard-not-held
        path++; // expect: guard-not-held
        synchronized (once) {
            right++; // silent
        }
        synchronized (holder.fixed.mutex) {
            path++; // silent
        }
    }

    void require() /*# requires changing */ { // expect: lock-not-final
        first++; // silent
    }
}
