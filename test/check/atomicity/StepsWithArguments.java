import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A call of a class with locks of its own is a step, whatever it also does to what it is given. */
final class StepsWithArguments {
    private final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();
    private final LinkedBlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final Map<String, String> map = new ConcurrentHashMap<>();

    void one(List<String> given) /*# atomic */ {
        queue.addAll(given); // silent
    }

    void two(List<String> given) /*# atomic */ {
        queue.addAll(given); // expect: not-atomic; path
        queue.addAll(given); // path
    }

    void drained(List<String> to) /*# atomic */ {
        waiting.drainTo(to); // expect: not-atomic
        waiting.drainTo(to);
    }

    void replaced(ConcurrentHashMap<String, String> with, Map<String, String> given) /*# atomic */ {
        with.clear(); // expect: not-atomic
        with.putAll(given);
    }

    void each(List<String> given) /*# atomic */ {
        given.forEach(queue::add); // expect: not-atomic; it is called for each
    }

    void none(List<String> given, List<String> to) /*# atomic */ {
        to.addAll(given); // silent: what only this thread has
        to.addAll(given);
    }
}
