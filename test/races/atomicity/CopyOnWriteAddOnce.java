import java.util.concurrent.CopyOnWriteArrayList;
import quiet.Threads;

/** Wrong: contains() and add() are two steps, addIfAbsent() would be one. */
public class CopyOnWriteAddOnce {
    private static final CopyOnWriteArrayList<String> listeners = new CopyOnWriteArrayList<>();

    public static void addOnce(String listener) {
        if (!listeners.contains(listener)) {
            listeners.add(listener); //! atomicity predicted CopyOnWriteAddOnce.addOnce
        }
    }

    public static boolean addIfAbsent(String listener) {
        return listeners.addIfAbsent(listener);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> addOnce("one"), () -> addOnce("two"), () -> addIfAbsent("one"));
        System.out.println(listeners.size() == 2 ? "ok" : "twice");
    }
}
