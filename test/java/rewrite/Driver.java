import java.lang.reflect.Method;
import java.util.Map;

/**
 * Runs the main method of a rewritten class and checks what its methods counted.
 *
 * <p>usage: Driver CLASS LEAST [METHOD=ENTERED,RETURNED,THROWN]...: at least so many instructions must have been
 * counted, and the methods exactly so often.
 */
public final class Driver {
    private Driver() {
    }

    public static void main(String[] arguments) throws Exception {
        Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
        main.invoke(null, (Object) new String[0]);
        Map<String, long[]> counts = Counter.counts();
        boolean good = true;
        for (Map.Entry<String, long[]> entry : counts.entrySet()) {
            long[] count = entry.getValue();
            // An exception that comes out of super() leaves a constructor unseen: no handler may cover that call.
            boolean constructor = entry.getKey().contains(".<init>(");
            long missing = count[0] - count[1] - count[2];
            if (constructor ? missing < 0 : missing != 0) {
                System.err.println(entry.getKey() + ": entered " + count[0] + ", returned " + count[1]
                        + ", thrown " + count[2]);
                good = false;
            }
        }
        for (int i = 2; i < arguments.length; i++) {
            int equals = arguments[i].lastIndexOf('=');
            String method = arguments[i].substring(0, equals);
            long[] count = counts.getOrDefault(method, new long[3]);
            String found = count[0] + "," + count[1] + "," + count[2];
            if (!found.equals(arguments[i].substring(equals + 1))) {
                System.err.println(arguments[i] + ": found " + found);
                good = false;
            }
        }
        if (counts.size() < 10 || Counter.instructions < Long.parseLong(arguments[1])) {
            System.err.println("only " + counts.size() + " methods and " + Counter.instructions
                    + " instructions were counted");
            good = false;
        }
        System.err.println(counts.size() + " methods, " + Counter.instructions + " instructions counted");
        System.exit(good ? 0 : 1);
    }
}
