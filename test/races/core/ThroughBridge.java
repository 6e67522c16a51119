import java.util.function.Supplier;
import quiet.Order;

/**
 * Wrong: two threads count without a lock. They come there by methods that nobody wrote: what the compiler makes for a
 * generic type, and what the JVM makes for a lambda and a method reference.
 */
public class ThroughBridge {
    static class Counter {
        int count;
    }

    interface Step<T> {
        T take(T value);
    }

    static class Add implements Step<Counter> {
        @Override
        public Counter take(Counter counter) {
            counter.count++; //! race observed ThroughBridge$Counter.count
            return counter;
        }
    }

    private static <T> T taken(Supplier<T> supplier) {
        return supplier.get();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        Step<Counter> step = new Add();
        Thread first = new Thread(() -> {
            taken(() -> step.take(counter));
            Order.reach("counted");
        });
        first.start();
        Order.await("counted");
        Step<Counter> reference = step::take;
        reference.take(counter);
        first.join();
        System.out.println("ok");
    }
}
