package sample;

import java.util.List;
import java.util.Map;

/** Every place where a comment may stand. Tests find lines by what is written on them. */
class Positions /*# thread_local */ {
    final Object lock = new Object();
    final Object other = new Object();

    int behind /*# guarded_by this */;
    int initialized /*# guarded_by lock */ = 1;
    int late = 1 /*# guarded_by lock */;
    int equal = /*# guarded_by lock */ 1;
    Object array[] /*# guarded_by this */;
    /*# guarded_by this */
    int above;
    /*# guarded_by lock */ int before;
    private /*# guarded_by lock */ int between;
    int trailing; //# guarded_by this
    int trailingBlock; /*# write_guarded_by lock, other */
    //# write_guarded_by this
    static volatile int aboveToLineEnd;

    int a, b /*# guarded_by lock */, c;
    /*# guarded_by this */ int d, e /*# guarded_by lock */, f;
    int g, //# guarded_by this
        h, i; //# guarded_by lock
    Runnable nested = new Runnable() {
        int inner /*# guarded_by lock */;
        public void run() {}
    }; //# guarded_by this
    int plain;

    void plain() {}
    void required(int x, Map<String, int[]>[] y, List<String>... z) /*# requires lock, x.y */ {}
    /*# requires lock */ void requiredBefore(Positions p) {}
    void requiredBehindBrace() { //# requires this
    }
    //# requires lock
    //# requires other
    synchronized void requiredTwice() {
        plain();
    }
    void requiredOneLine() { plain(); } //# requires lock
    <T extends Comparable<T>, U> void generic(T t, U u, List<T> l) /*# requires nothing */ {}
    Positions(int constructed) /*# requires lock */ { plain = constructed; }
    /*# atomic */ int atomicBefore() { return plain; }
    int atomicInside() /*# atomic */ { return plain; }

    void code() {
        plain = 1; /*# no_warn */
        plain = 2; //# no_warn guard-not-held
        /*# no_warn */
        plain = 3;
        if (plain > 1) {
            plain = 4;
            /*# holds lock, other */
            plain = 5;
            { plain = 6; }
            plain = 7;
        } else { plain = 8; }
        /*# atomic */ synchronized (lock) {
            plain = 9;
        }
        /*# atomic */ {
            plain = 10;
        }
    }
    int quietField /*# no_warn */;
    int quietMethod() /*# no_warn guard-not-held */ {
        return plain;
    }
}

/*# guarded_by this
  * write_guarded_by this */
class Twice {}

interface Shape { //# immutable
    void draw() /*# requires this */;
}

enum Color {
    RED, GREEN { int shade /*# guarded_by this */; };
    int value /*# guarded_by this */;
}

record Point(int x /*# guarded_by this */, Object y) {
    Point /*# requires y */ {}
}

/*# thread_local */
final class ThreadLocalBefore {}

class Guarded /*# guarded_by lock */ {
    final Object lock = new Object();
}
