import net.jcip.annotations.GuardedBy;
import net.jcip.annotations.Immutable;
import java.util.ArrayList;
import java.util.List;

/** A reference to a method of a guarded collection touches what is in it when it is called. */
final class ContentsReferences {
    private final Object lock = new Object();
    @GuardedBy("lock") private final List<String> list = new ArrayList<>();
    private final List<String> free = new ArrayList<>();

    void right(List<String> from) {
        synchronized (lock) {
            from.forEach(list::add); // silent: it is called at once
        }
        from.forEach(free::add); // silent: nobody says who guards it
    }

    List<String> own(List<String> from) {
        List<String> made = new ArrayList<>();
        from.forEach(made::add); // silent
        return made;
    }

    void wrong(List<String> from) {
        from.forEach(list::add); // expect: guard-not-held
    }

    Thread later() {
        synchronized (lock) {
            return new Thread(list::clear); // expect: guard-not-held; it runs when the lock is given back
        }
    }

    /** What a constructor makes to run later, runs when others know the object; what it runs at once does not. */
    static final class Constructed {
        @GuardedBy("this") private final List<String> list = new ArrayList<>();
        @GuardedBy("Constructed.class") private static final List<String> all = new ArrayList<>();
        private static final Thread CLEARS = new Thread(all::clear); // expect: guard-not-held
        private final Thread clears;

        Constructed(List<String> from) {
            from.forEach(list::add); // silent
            clears = new Thread(list::clear); // expect: guard-not-held
            new Thread(this::bump).start(); // expect: requires-not-held
        }

        /*# requires this */
        void bump() {
            list.add("x"); // silent
        }
    }

    @Immutable
    static final class Fixed {
        private final List<String> list = new ArrayList<>();

        Fixed(List<String> from) {
            from.forEach(list::add); // silent
        }

        void addAll(List<String> from) {
            from.forEach(list::add); // expect: readonly-written
        }
    }
}
