/** write_guarded_by: whoever reads needs no lock, whoever writes does. */
final class GuardWrites {
    private final Object lock = new Object();
    private volatile int published /*# write_guarded_by this */;
    private volatile String text /*# write_guarded_by lock */ = "";
    private static volatile long stamp /*# write_guarded_by GuardWrites.class */;
    private volatile int[] table /*# write_guarded_by this */ = new int[4];

    int read() {
        return published; // silent
    }

    String readText() {
        return text + stamp; // silent
    }

    void write(int value) {
        published = value; // expect: guard-not-held
        text = "new"; // expect: guard-not-held
        stamp = value; // expect: guard-not-held
    }

    synchronized void writeRight(int value) {
        published = value; // silent
        synchronized (lock) {
            text = text + value; // silent
        }
        synchronized (GuardWrites.class) {
            stamp++; // silent
        }
    }

    void increment() {
        published++; // expect: guard-not-held; it also writes
        synchronized (this) {
            published++; // silent
        }
    }

    void wrongLock() {
        synchronized (lock) {
            published = read() + 1; // expect: guard-not-held
            text = "" + published; // silent
        }
        synchronized (this) {
            text = "" + published; // expect: guard-not-held
        }
    }

    int element(int index) {
        return table[index]; // silent
    }

    void setElement(int index) {
        table[index] = 1; // expect: guard-not-held; an element is written
        synchronized (this) {
            table[index] = 2; // silent
        }
    }
}
