import java.util.Hashtable;
import java.util.Map;
import java.util.Stack;
import java.util.Vector;

/** Right: Vector, Stack, Hashtable and StringBuffer lock themselves in each call. */
public class VectorAndBuffer {
    static final Vector<Integer> vector = new Vector<>();
    static final Stack<Integer> stack = new Stack<>();
    static final Map<Integer, Integer> table = new Hashtable<>();
    static final StringBuffer buffer = new StringBuffer();

    static void work() {
        for (int i = 0; i < 100; i++) {
            vector.add(i);
            vector.get(0);
            stack.push(i);
            table.put(i, i);
            table.get(i);
            buffer.append("x").length();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(VectorAndBuffer::work);
        Thread second = new Thread(VectorAndBuffer::work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (vector.size() != 200 || stack.size() != 200 || table.size() != 100 || buffer.length() != 200) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
