import java.text.SimpleDateFormat;
import java.util.Date;
import quiet.Order;

/** Wrong: format() of a SimpleDateFormat changes its calendar, and two threads call it without a lock. */
public class DateFormatShared {
    static class Registry {
        final SimpleDateFormat format = new SimpleDateFormat("yyyy");
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.format.format(new Date(0));
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.format.format(new Date(1)); //! race observed DateFormatShared$Registry.format
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
