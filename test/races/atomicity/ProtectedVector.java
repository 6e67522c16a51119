import java.util.Vector;
import quiet.Threads;

/** Right: a Vector that is only used under a lock; its own is one too many. */
public class ProtectedVector {
    private final Vector<String> names = new Vector<>();

    public synchronized void addOnce(String name) {
        if (!names.contains(name)) {
            names.add(name); //! with --without protected-locks: atomicity predicted ProtectedVector.addOnce
        }
    }

    public static void main(String[] arguments) {
        ProtectedVector shared = new ProtectedVector();
        Threads.inTurn(() -> shared.addOnce("one"), () -> shared.addOnce("two"));
        System.out.println(shared.names.size() == 2 ? "ok" : "lost");
    }
}
