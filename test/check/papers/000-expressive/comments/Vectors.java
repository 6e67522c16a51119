/** The same class for values of one thread and for values that nobody changes (section 7). */
final class Vectors {
    static final class Vec/*#<thisOwner>*/ {
        double x /*# guarded_by thisOwner */;

        double length() /*# requires thisOwner */ {
            return Math.abs(x); // without length: guard-not-held
        }
    }

    static double local(Vec/*#<thisThread>*/ vec) {
        vec.x *= 2; // silent
        return vec.length(); // silent
    }

    static double everybodys(Vec/*#<readonly>*/ vec) {
        double old = vec.x; // silent
        vec.x = old + 1; // expect: readonly-written
        return vec.length(); // silent
    }
}
