/** A constructor counts as holding the lock of what it makes (section 6.1). */
final class ConstructorHoldsLock {
    private int value;

    ConstructorHoldsLock(int first) {
        value = first; // silent
    }

    void change(int next) {
        value = next; // silent
    }
}
