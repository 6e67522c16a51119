/** Clauses that have no meaning, at the line of their comment; what they say counts as not said. */
final class BadComments {
    private final Object lock = new Object();
    private final int number = 3;
    private static final Object STATIC = new Object();
    private int unknown /*# guarded_by missing */; // expect: bad-annotation
    private int unknownPart /*# guarded_by lock.missing */; // expect: bad-annotation
    private int unknownMethod /*# guarded_by missing() */; // expect: bad-annotation
    private int unknownClass /*# guarded_by Missing.class */; // expect: bad-annotation
    private int unknownStatic /*# guarded_by Other.missing */; // expect: bad-annotation
    private int notOuter /*# guarded_by Other.this */; // expect: bad-annotation
    private int primitive /*# guarded_by number */; // expect: bad-annotation
    private int primitiveMethod /*# guarded_by number() */; // expect: bad-annotation
    private int withParameter /*# guarded_by withParameter() */; // expect: bad-annotation
    private int secondUnknown /*# guarded_by lock, missing */; // expect: bad-annotation
    private int writes /*# write_guarded_by missing */; // expect: bad-annotation
    private static int ofThis /*# guarded_by this */; // expect: bad-annotation
    private static int ofInstance /*# guarded_by lock */; // expect: bad-annotation
    private int nothing /*# guarded_by */; // expect: bad-annotation
    private int dot /*# guarded_by lock. */; // expect: bad-annotation
    private int word /*# guarded_bye lock */; // expect: bad-annotation
    private final Object a /*# guarded_by b */ = "a", b /*# guarded_by a */ = "b"; // expect: bad-annotation
    private int right /*# guarded_by lock */; // silent
    private int rightToo /*# guarded_by STATIC */; // silent
    private static int rightStatic /*# guarded_by STATIC */; // silent
    private int classRight /*# guarded_by Other.class */; // silent

    static final class Other {
    }

    int number() {
        return number;
    }

    Object withParameter(int ignored) {
        return lock;
    }

    void unknownRequired() /*# requires missing */ { // expect: bad-annotation
    }

    void unknownParameter(Object parameter) /*# requires paramter */ { // expect: bad-annotation
    }

    void primitiveParameter(int parameter) /*# requires parameter */ { // expect: bad-annotation
    }

    static void staticThis() /*# requires this */ { // expect: bad-annotation
    }

    static void staticField() /*# requires lock */ { // expect: bad-annotation
    }

    void local() /*# requires inside */ { // expect: bad-annotation
        Object inside = lock;
    }

    void goesOn() {
        right++; // expect: guard-not-held
        rightToo++; // expect: guard-not-held
        rightStatic++; // expect: guard-not-held
        classRight++; // expect: guard-not-held
        synchronized (lock) {
            right++; // silent
        }
        unknown++; // silent: nothing is known of it
        unknownRequired(); // silent
        staticThis(); // silent
    }
}
