import net.jcip.annotations.GuardedBy;
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
}
