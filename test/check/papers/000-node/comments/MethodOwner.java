/** An owner that only a method's parameters have: {@code g1$a1} says whose lock it is if it is self (section 2.2). */
final class MethodOwner {
    static final class Node/*#<f1>*/ {
        int value /*# guarded_by f1 */;

        void swap(Node/*#<g1>*/ a1, Node/*#<g1>*/ a2)
                /*# requires g1$a1, g1$a2 */ {
            int old = a1.value; // silent
            a1.value = a2.value; // silent
            a2.value = old; // silent
            value = old; // expect: guard-not-held
        }
    }

    static void use(Node/*#<self>*/ one, Node/*#<self>*/ two,
            Node/*#<thisThread>*/ mine) {
        one.swap(mine, mine); // silent
        one.swap(one, two); // expect: requires-not-held
        synchronized (one) {
            one.swap(one, two); // expect: requires-not-held
            synchronized (two) {
                one.swap(one, two); // silent
            }
            synchronized (mine) {
                one.swap(one, mine); // expect: owner-mismatch
            }
        }
    }
}
