import java.util.Calendar;
import java.util.GregorianCalendar;
import quiet.Order;

/** Wrong: two threads change the same Calendar without a lock. */
public class CalendarShared {
    static class Registry {
        final Calendar day = new GregorianCalendar(2000, 0, 1);
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.day.add(Calendar.DATE, 1);
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.day.set(Calendar.YEAR, 2001); //! race observed CalendarShared$Registry.day
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
