import java.util.Hashtable;
import quiet.Threads;

/** Wrong: a Hashtable that is compared locks itself, then the other. */
public class DeadlockHashtables {
    private static final Hashtable<String, String> left = new Hashtable<>();
    private static final Hashtable<String, String> right = new Hashtable<>();

    static void up() {
        left.equals(right); //! deadlock 2
    }

    static void down() {
        right.equals(left); //! deadlock 2
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockHashtables::up, DeadlockHashtables::down);
        System.out.println("ok");
    }
}
