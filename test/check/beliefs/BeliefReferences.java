import java.util.ArrayList;
import java.util.List;

/** What references do counts, and one call can break the beliefs of several objects. */
class BeliefReferences {
    private final List<String> log = new ArrayList<>();
    private final List<String> other = new ArrayList<>();

    synchronized void add(String item) {
        log.add(item); // silent
        other.add(item); // silent
    }

    synchronized void remove(String item) {
        log.remove(item); // silent
        other.remove(item); // silent
    }

    synchronized void clear() {
        log.clear(); // silent
        other.clear(); // silent
    }

    synchronized int size() {
        return log.size() + other.size(); // silent
    }

    synchronized void sort() {
        log.sort(null); // silent
        other.sort(null); // silent
    }

    synchronized void addEachLocked(List<String> items) {
        items.forEach(log::add); // silent: it is called at once
    }

    synchronized void removeEachLocked(List<String> items) {
        items.forEach(log::remove); // silent
    }

    synchronized void reverse() {
        for (int i = 0; i < log.size(); i++) { // silent
            log.add(i, log.remove(log.size() - 1)); // silent
        }
    }

    synchronized boolean has(String item) {
        return log.contains(item); // silent
    }

    synchronized int last(String item) {
        return log.lastIndexOf(item) + other.lastIndexOf(item); // silent
    }

    Thread clears() {
        return new Thread(log::clear); // expect: guard-not-held
    }

    void addEach(List<String> items) {
        items.forEach(log::add); // expect: guard-not-held
    }

    synchronized boolean isLike(BeliefReferences that) {
        return log.equals(that.log); // expect: guard-not-held; it has the lock of one of them
    }

    synchronized boolean isAlso(BeliefReferences that) {
        return java.util.Objects.equals(log, that.log); // expect: guard-not-held
    }

    void both() {
        log.addAll(other); // expect: guard-not-held, guard-not-held
    }

    private BeliefReferences blank() {
        return new BeliefReferences();
    }

    static BeliefReferences copy(BeliefReferences that) {
        BeliefReferences made = that.blank();
        made.log.addAll(that.other); // expect: guard-not-held
        return made;
    }

    /** Nobody else knows the copy, whatever is wrong with what it is made from. */
    static final class Quiet {
        private final List<String> log = new ArrayList<>();
        private final List<String> other = new ArrayList<>(); /*# no_warn */

        synchronized void add(String item) {
            log.add(item); // silent
            other.add(item); // silent
        }

        synchronized void clear() {
            log.clear(); // silent
            other.clear(); // silent
        }

        int size() {
            return log.size(); // expect: guard-not-held
        }

        private Quiet blank() {
            return new Quiet();
        }

        static Quiet copy(Quiet that) {
            Quiet made = that.blank();
            made.log.addAll(that.other); // silent
            return made;
        }
    }
}
