import net.jcip.annotations.GuardedBy;
import java.util.function.IntConsumer;

/** The program's own classes may say what their methods do to what an object holds; then it counts as for the library's. */
final class ContentsOwn {
    static final class Bag /*# unguarded */ {
        private final int[] all = new int[10];
        private int count;

        void add(int x) /*# writes this */ {
            all[count++] = x; // silent
        }

        int size() /*# reads this */ {
            return count; // silent
        }

        void copyTo(Bag other) /*# reads this writes other */ {
            System.arraycopy(all, 0, other.all, 0, count); // silent
        }

        String name() {
            return "bag"; // silent
        }
    }

    @GuardedBy("this") private final Bag bag = new Bag();

    void right(Bag other) {
        synchronized (this) {
            bag.add(1); // silent
            other.copyTo(bag); // silent
            bag.copyTo(other); // silent
        }
        other.add(2); // silent: nobody says who guards it
        bag.name(); // silent: nothing is said of it
    }

    int wrong(Bag other) {
        bag.add(2); // expect: guard-not-held
        other.copyTo(bag); // expect: guard-not-held
        bag.copyTo(other); // expect: guard-not-held
        IntConsumer later = bag::add; // expect: guard-not-held
        return bag.size(); // expect: guard-not-held
    }
}
