/** A list whose elements are all guarded by a lock from outside (figure 6). */
final class ExternalList {
    static final class List {
        Object val;
        List tail;

        void add(Object o) {
            tail = new List(); // without add: guard-not-held
            tail.val = o; // without add: guard-not-held, guard-not-held
        }
    }

    static final class A {
        private List make() {
            return new List();
        }

        void go(Object o) {
            List head = make();
            synchronized (this) {
                head.val = o; // without synchronized 1: guard-not-held
                for (int i = 0; i < 9; i++) {
                    head.add(o); // without synchronized 1: requires-not-held
                }
            }
        }
    }
}
