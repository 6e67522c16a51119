import java.text.SimpleDateFormat;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;

/** Right: a date format, a calendar and a string builder, shared under their own monitors. */
public class FormatsLocked {
    static final SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd");
    static final Calendar calendar = new GregorianCalendar(2000, Calendar.JANUARY, 1);
    static final StringBuilder text = new StringBuilder();

    static void work() {
        for (int i = 0; i < 50; i++) {
            String day;
            synchronized (calendar) {
                calendar.add(Calendar.DATE, 1);
                Date date = calendar.getTime();
                synchronized (format) {
                    day = format.format(date);
                }
            }
            synchronized (text) {
                text.append(day).append('\n');
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(FormatsLocked::work);
        Thread second = new Thread(FormatsLocked::work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (text.length() != 1100 || calendar.get(Calendar.DAY_OF_YEAR) != 101) {
            throw new AssertionError(text.length());
        }
        System.out.println("ok");
    }
}
