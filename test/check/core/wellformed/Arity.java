/** Owner arguments: as many as the class has formals. */
final class Arity {
    static final class Node/*#<ghost Arity owner>*/ {
        int value /*# guarded_by owner */;
    }

    private Node/*#<this>*/ right /*# guarded_by this */ = new Node/*#<this>*/();
    private Node/*#<this, this>*/ tooMany /*# guarded_by this */; // expect: bad-annotation
    private Object/*#<this, this>*/ none /*# guarded_by this */; // expect: bad-annotation

    synchronized void use() {
        right.value++; // silent
    }

    void useWithout() {
        synchronized (this) {
            right.value++; // silent
        }
        right.value++; // expect: guard-not-held
    }
}
