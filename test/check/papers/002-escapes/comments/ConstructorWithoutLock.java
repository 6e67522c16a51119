// options: --constructor-holds-lock off
/** Strictly, a constructor holds nothing (section 6.1). */
final class ConstructorWithoutLock {
    private int value /*# guarded_by this */;

    ConstructorWithoutLock(int first) {
        value = first; // expect: guard-not-held
    }

    void change(int next) /*# requires this */ {
        value = next; // silent
    }
}
