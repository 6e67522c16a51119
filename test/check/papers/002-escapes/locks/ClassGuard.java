/** A guard of the class is that of each of its fields (section 6.2). */
final class ClassGuard {
    static final class Pair {
        int first;
        int second;

        synchronized void swap() {
            int old = first; // without synchronized 1: guard-not-held
            first = second; // without synchronized 1: guard-not-held, guard-not-held
            second = old; // without synchronized 1: guard-not-held
        }

        int sum() {
            return first + second; // expect: guard-not-held, guard-not-held
        }
    }
}
