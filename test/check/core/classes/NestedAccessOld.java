// release: 8
import net.jcip.annotations.GuardedBy;

/** Private members across nested classes, through the access$000 methods of older compilers. */
final class NestedAccessOld {
    private final Object lock = new Object();
    @GuardedBy("this") private int count;
    @GuardedBy("lock") private long wide;
    @GuardedBy("NestedAccessOld.class") private static int total;

    @GuardedBy("this")
    private void change() {
        count++; // silent
    }

    static final class Friend {
        @GuardedBy("this") private int own;

        void use(NestedAccessOld one) {
            one.count = 1; // expect: guard-not-held
            one.count++; // expect: guard-not-held
            one.wide += 2; // expect: guard-not-held
            total++; // expect: guard-not-held
            one.change(); // expect: requires-not-held
            synchronized (one) {
                one.count = 1; // silent
                one.count++; // silent
                one.change(); // silent
            }
            synchronized (one.lock) {
                one.wide += 2; // silent
            }
            synchronized (NestedAccessOld.class) {
                total++; // silent
            }
        }
    }

    int ownOf(Friend friend) {
        synchronized (friend) {
            friend.own++; // silent
        }
        return friend.own; // expect: guard-not-held
    }
}
