import quiet.Order;

/**
 * Right as far as races go: counting in volatile fields loses counts, but no access of a volatile field is a data
 * race.
 */
public class VolatileCounter {
    static volatile int count;
    volatile long big;
    volatile double real;
    volatile Object thing;

    void use() {
        count++;
        big += count;
        real += 0.5;
        thing = thing == null ? this : null;
    }

    public static void main(String[] arguments) throws InterruptedException {
        VolatileCounter counter = new VolatileCounter();
        Thread first = new Thread(() -> {
            counter.use();
            Order.reach("used");
            counter.use();
        });
        first.start();
        Order.await("used");
        counter.use();
        first.join();
        System.out.println(count > 0 ? "ok" : "no count");
    }
}
