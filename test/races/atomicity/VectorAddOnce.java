import java.util.Vector;
import quiet.Threads;

/** Wrong: each call is atomic, but the name can come in between the two. */
public class VectorAddOnce {
    private static final Vector<String> names = new Vector<>();

    public static void addOnce(String name) {
        if (!names.contains(name)) {
            names.add(name); //! atomicity predicted VectorAddOnce.addOnce
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> addOnce("one"), () -> addOnce("two"));
        System.out.println(names.size() == 2 ? "ok" : "lost");
    }
}
