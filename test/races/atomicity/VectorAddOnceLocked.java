import java.util.Vector;
import quiet.Threads;

/** Right: a Vector locks itself, so that whoever has locked it is alone with it. */
public class VectorAddOnceLocked {
    private static final Vector<String> names = new Vector<>();

    public static void addOnce(String name) {
        synchronized (names) {
            if (!names.contains(name)) {
                names.add(name);
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.together(() -> addOnce("one"), () -> addOnce("one"));
        System.out.println(names.size() == 1 ? "ok" : "twice");
    }
}
