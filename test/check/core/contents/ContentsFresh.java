import net.jcip.annotations.GuardedBy;
import net.jcip.annotations.Immutable;
import java.util.ArrayList;
import java.util.List;

/** What hangs in an object that nobody else can know is nobody else's, until the object is handed out. */
final class ContentsFresh {
    @GuardedBy("this") private final List<String> list = new ArrayList<>();
    @GuardedBy("this") private int[] array = new int[3];
    @GuardedBy("this") private Part part = new Part();
    private static ContentsFresh shared;

    static final class Part {
        @GuardedBy("this") final List<String> names = new ArrayList<>();
    }

    static ContentsFresh made(String text) {
        ContentsFresh made = new ContentsFresh();
        made.list.add(text); // silent
        made.array[0] = 1; // silent
        made.array[1]++; // silent
        return made;
    }

    static void handedOut(String text) {
        ContentsFresh made = new ContentsFresh();
        made.list.add(text); // silent
        int[] array = made.array; // silent
        array[0] = 1; // silent
        shared = made;
        made.list.add(text); // expect: guard-not-held
        array[0] = 2; // expect: guard-not-held
        made.array[0] = 3; // expect: guard-not-held
    }

    static ContentsFresh deeper(Part known, String text) {
        ContentsFresh made = new ContentsFresh();
        made.part = known; // silent
        made.part.names.add(text); // expect: guard-not-held; the part may be known to others
        return made;
    }

    @Immutable
    static final class Options {
        private Object[] all = new Object[0];

        Options with(Object value) {
            Options made = new Options();
            made.all = new Object[1]; // silent
            made.all[0] = value; // silent
            return made;
        }

        void change(Object value) {
            all[0] = value; // expect: readonly-written
        }
    }
}
