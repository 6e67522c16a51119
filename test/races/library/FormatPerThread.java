import java.text.SimpleDateFormat;
import java.util.Date;

/** Right: a date format for each thread in a ThreadLocal, and string builders that never leave their method. */
public class FormatPerThread {
    static final ThreadLocal<SimpleDateFormat> format = ThreadLocal.withInitial(() -> new SimpleDateFormat("yyyy"));

    static String years(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(format.get().format(new Date(i * 1000L))).append(' ');
        }
        return text.toString();
    }

    public static void main(String[] arguments) throws Exception {
        String[] results = new String[2];
        Thread first = new Thread(() -> results[0] = years(20));
        Thread second = new Thread(() -> results[1] = years(20));
        first.start();
        second.start();
        first.join();
        second.join();
        if (!results[0].equals(results[1])) {
            throw new AssertionError(results[0]);
        }
        System.out.println("ok");
    }
}
