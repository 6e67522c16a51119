import java.util.Vector;
import quiet.Threads;

/** Wrong: the last element can be gone when it is asked for. */
public class VectorLast {
    private static final Vector<String> names = new Vector<>();

    public static String last() {
        int size = names.size();
        return names.get(size - 1); //! atomicity predicted VectorLast.last
    }

    public static void main(String[] arguments) {
        names.add("one");
        Threads.inTurn(VectorLast::last, () -> names.remove(0));
        System.out.println(names.isEmpty() ? "ok" : "not removed");
    }
}
