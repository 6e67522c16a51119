/** A list whose elements are all guarded by a lock from outside (figure 6). */
final class ExternalList {
    static final class List/*#<ghost Object lp>*/ {
        Object val /*# guarded_by lp */;
        List/*#<lp>*/ tail /*# guarded_by lp */;

        void add(Object o) /*# requires lp */ {
            tail = new List/*#<lp>*/(); // without add: guard-not-held
            tail.val = o; // without add: guard-not-held, guard-not-held
        }
    }

    static final class A {
        void go(Object o) {
            List head = new List/*#<this>*/();
            synchronized (this) {
                head.val = o; // silent: nobody else knows it yet
                for (int i = 0; i < 9; i++) {
                    head.add(o); // without synchronized 1: requires-not-held
                }
            }
        }
    }
}
