import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import net.jcip.annotations.GuardedBy;

/** What hangs in an object that nobody else can know yet: whether it was made for it, and where it goes. */
final class ContentsOfFresh {
    private final Object lock = new Object();
    @GuardedBy("lock") private final List<String> list = new ArrayList<>();
    @GuardedBy("lock") private final int[] array = new int[4];
    @GuardedBy("lock") private List<String> other = new ArrayList<>();
    @GuardedBy("lock") private List<String> again = new ArrayList<>();
    @GuardedBy("lock") private List<String> given = new ArrayList<>();
    @GuardedBy("lock") private List<String> known;
    @GuardedBy("lock") private List<String> kept;
    private static ContentsOfFresh shared;
    private static List<String> published;

    ContentsOfFresh() {
        known = new ArrayList<>();
        published = known;
        List<String> made = new ArrayList<>();
        kept = made;
        published = made;
    }

    static ContentsOfFresh passed(List<String> from) {
        ContentsOfFresh made = new ContentsOfFresh();
        Collections.addAll(made.list, "a", "b"); // silent
        Collections.sort(made.list); // silent
        Arrays.fill(made.array, 1); // silent
        System.arraycopy(made.array, 0, made.array, 1, 2); // silent
        from.addAll(made.list); // silent
        Objects.requireNonNull(made.list).add("c"); // silent: it comes back
        made.list.add("d"); // silent
        return made;
    }

    static ContentsOfFresh referred(List<String> from) {
        ContentsOfFresh made = new ContentsOfFresh();
        from.forEach(made.list::add); // silent
        return made;
    }

    static ContentsOfFresh manyTimes() {
        ContentsOfFresh made = new ContentsOfFresh();
        int[] array = made.array; // silent
        for (int i = 0; i < array.length; i++) {
            array[i] = i; // silent
            made.array[i]++; // silent
        }
        return made;
    }

    static ContentsOfFresh inLoop(List<String> from) {
        ContentsOfFresh made = new ContentsOfFresh();
        for (String text : from) {
            made.list.add(text); // silent
        }
        return made;
    }

    static void handedOut(boolean some) {
        ContentsOfFresh made = new ContentsOfFresh();
        made.list.add("a"); // silent
        published = made.list;
        made.list.add("b"); // expect: guard-not-held
        made.array[0] = 1; // silent: the array has not gone anywhere
        if (some) {
            shared = made;
        }
        made.array[0] = 2; // expect: guard-not-held
    }

    static void handedOutSomewhere(boolean some) {
        ContentsOfFresh made = new ContentsOfFresh();
        List<String> either = some ? made.list : new ArrayList<>();
        published = either;
        made.list.add("a"); // expect: guard-not-held; it may be the one
    }

    static void handedOutAndCaught(String text) {
        ContentsOfFresh made = new ContentsOfFresh();
        try {
            published = made.list;
            Integer.parseInt(text);
        } catch (NumberFormatException e) {
            made.list.add("a"); // expect: guard-not-held
        }
    }

    private static void publish(List<String> list) {
        published = list;
        throw new IllegalStateException();
    }

    static void handedOutByWhatFails() {
        ContentsOfFresh made = new ContentsOfFresh();
        try {
            publish(made.list);
        } catch (IllegalStateException e) {
            made.list.add("a"); // expect: guard-not-held
        }
    }

    static void givenAndCaught(ContentsOfFresh from, String text) {
        List<String> known;
        synchronized (from.lock) {
            known = from.again;
        }
        ContentsOfFresh made = new ContentsOfFresh();
        made.again = new ArrayList<>();
        try {
            made.again = known;
            Integer.parseInt(text);
        } catch (NumberFormatException e) {
            made.again.add("a"); // expect: guard-not-held; it is that of the other one
        }
    }

    static void handedOutLater(boolean some) {
        ContentsOfFresh made = new ContentsOfFresh();
        List<String> before = made.other;
        if (some) {
            made.other = new ArrayList<>();
        }
        published = before;
        made.other.add("a"); // expect: guard-not-held; it may still be the one
    }

    static void givenAnewOnOneWay(boolean some) {
        ContentsOfFresh made = new ContentsOfFresh();
        if (some) {
            made.given = new ArrayList<>();
        }
        made.given.add("a"); // expect: guard-not-held; not all that is assigned there is new
    }

    static void usedOnOneWay(boolean some) {
        ContentsOfFresh made = new ContentsOfFresh();
        if (some) {
            made.list.add("a"); // silent
        }
        made.list.add("b"); // silent
    }

    /** Whatever the program's own streams and lists do with what they are given. */
    static final class Keeping extends java.io.OutputStream {
        private static byte[] kept;

        @Override
        public void write(int value) {
        }

        @Override
        public void write(byte[] bytes, int first, int count) {
            kept = bytes;
        }
    }

    @GuardedBy("lock") private final byte[] bytes = new byte[4];

    static void keptByOverriding(java.io.OutputStream out, Keeping keeping) throws java.io.IOException {
        ContentsOfFresh made = new ContentsOfFresh();
        out.write(made.bytes, 0, 4); // silent
        made.bytes[0] = 1; // expect: guard-not-held
        ContentsOfFresh other = new ContentsOfFresh();
        keeping.write(other.bytes); // silent
        other.bytes[0] = 1; // expect: guard-not-held; the method of the library calls that of the program
    }

    static String[] comesBack(List<String> from) {
        ContentsOfFresh made = new ContentsOfFresh();
        made.names = new String[4];
        String[] same = from.toArray(made.names); // silent
        made.names[0] = "a"; // expect: guard-not-held
        return same;
    }

    @GuardedBy("lock") private String[] names = new String[0];

    static final class Copied implements Cloneable {
        @GuardedBy("this") final List<String> list = new ArrayList<>();

        static Object both() throws CloneNotSupportedException {
            Copied made = new Copied();
            Object copy = made.clone();
            made.list.add("a"); // expect: guard-not-held; the copy has the same list
            return copy;
        }
    }

    /** What constructors do with what they have stored. */
    static final class Filled {
        @GuardedBy("this") final List<String> names = new ArrayList<>();
        @GuardedBy("this") final int[] cells = new int[4];
        @GuardedBy("this") List<String> either = new ArrayList<>();
        @GuardedBy("this") List<String> shown;

        Filled(boolean some) {
            Collections.addAll(names, "a", "b"); // silent
            Arrays.fill(cells, -1); // silent
            published = some ? either : null;
            List<String> made = new ArrayList<>();
            shown = made;
            published = some ? made : null;
        }

        static void use() {
            Filled made = new Filled(true);
            made.names.add("a"); // silent: the constructor has only filled it
            made.cells[0] = 1; // silent
            made.either.add("a"); // expect: guard-not-held
            made.shown.add("a"); // expect: guard-not-held
        }
    }

    static Thread handedToThread() {
        ContentsOfFresh made = new ContentsOfFresh();
        Thread thread = new Thread(made.list::clear); // expect: guard-not-held
        made.list.add("x"); // expect: guard-not-held
        return thread;
    }

    static void givenFromOutside(ContentsOfFresh from) {
        ContentsOfFresh made = new ContentsOfFresh();
        made.given.add("a"); // expect: guard-not-held; not all that is assigned there is new
        synchronized (from.lock) {
            made.given = from.given; // silent
        }
        made.given.add("b"); // expect: guard-not-held; it is that of the other one
        made.other.add("c"); // silent: another field
    }

    static void givenAnew() {
        ContentsOfFresh made = new ContentsOfFresh();
        made.again = new ArrayList<>(); // silent
        made.again.add("a"); // silent
        List<String> fresh = new ArrayList<>();
        made.again = fresh; // silent
        made.again.add("b"); // silent
        published = fresh;
        made.again.add("c"); // expect: guard-not-held
    }

    static void handedOutByConstructor() {
        ContentsOfFresh made = new ContentsOfFresh();
        made.known.add("a"); // expect: guard-not-held
        made.kept.add("b"); // expect: guard-not-held
    }

    static final class View {
        final List<String> items;
        final List<String> seen;

        View(List<String> items, List<String> seen) {
            this.items = items;
            this.seen = seen;
        }
    }

    /** A wrapper that is new does not make new what is in it. */
    void wrapped() {
        List<String> items;
        List<String> seen;
        synchronized (lock) {
            items = list;
            seen = given;
        }
        View view = new View(items, seen);
        view.items.add("a"); // expect: guard-not-held
        view.seen.add("b"); // expect: guard-not-held
        seen.add("c"); // expect: guard-not-held
    }
}
