import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;

/** Prints what an agent might disturb: values, exceptions with their lines, reflection, serialization, threads. */
public class AgentProgram implements Serializable {
    enum Color { RED, GREEN }

    record Pair(int left, String right) {}

    private int[] numbers = {3, 1, 2};
    private transient long hidden = 7;

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static String describe(Throwable thrown) {
        StringBuilder text = new StringBuilder(thrown.toString());
        for (StackTraceElement element : thrown.getStackTrace()) {
            if (element.getClassName().startsWith("AgentProgram")) {
                text.append(" at ").append(element.getMethodName()).append(':').append(element.getLineNumber());
            }
        }
        return text.toString();
    }

    int fail(String given) {
        try {
            return given.length() + numbers[5];
        } finally {
            hidden++;
        }
    }

    synchronized void recurse(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("deep");
        }
        synchronized (numbers) {
            recurse(depth - 1);
        }
    }

    public static void main(String[] arguments) throws Exception {
        AgentProgram program = new AgentProgram();
        System.out.println(fibonacci(20) + " " + new Pair(1, "x") + " " + Color.valueOf("GREEN"));
        for (String given : new String[] {null, "abc"}) {
            try {
                program.fail(given);
            } catch (RuntimeException e) {
                System.out.println(describe(e));
            }
        }
        try {
            program.recurse(3);
        } catch (IllegalStateException e) {
            System.out.println(describe(e) + " " + Thread.holdsLock(program));
        }
        System.out.println(java.util.Arrays.toString(AgentProgram.class.getDeclaredFields()));
        System.out.println(AgentProgram.class.getDeclaredMethods().length);
        System.out.println(java.io.ObjectStreamClass.lookup(AgentProgram.class).getSerialVersionUID());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(program);
        Object copy = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        System.out.println(((AgentProgram) copy).numbers[0]);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int n = i;
            IntSupplier supplier = () -> fibonacci(n);
            results.add(pool.submit(supplier::getAsInt));
        }
        long sum = 0;
        for (Future<Integer> result : results) {
            sum += result.get();
        }
        pool.shutdown();
        System.out.println(sum);
        System.exit(arguments.length);
    }
}
