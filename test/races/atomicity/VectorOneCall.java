import java.util.Vector;
import quiet.Threads;

/** Right: one call of a class that synchronizes itself is atomic. */
public class VectorOneCall {
    private static final Vector<Integer> numbers = new Vector<>();

    public static void add(int number) {
        numbers.add(number);
    }

    public static int size() {
        return numbers.size();
    }

    static void work() {
        for (int i = 0; i < 20; i++) {
            add(i);
            size();
        }
    }

    public static void main(String[] arguments) {
        Threads.together(VectorOneCall::work, VectorOneCall::work);
        System.out.println(size() == 40 ? "ok" : "lost");
    }
}
