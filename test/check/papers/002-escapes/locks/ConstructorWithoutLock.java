// options: --constructor-holds-lock off
/** Strictly, a constructor holds nothing (section 6.1). */
final class ConstructorWithoutLock {
    private int value;

    ConstructorWithoutLock(int first) {
        value = first; // expect: guard-not-held
    }

    void change(int next) {
        value = next; // silent
    }
}
