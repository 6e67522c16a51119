/** A .locks file that speaks of what is not there; the rest of it counts. */
final class BadLocksFile {
    private final Object lock = new Object();
    private int value;
    private int other;

    void use() {
        value++; // expect: guard-not-held
        synchronized (lock) {
            value++; // silent
        }
        other++; // silent
    }

    void method() {
    }
}
