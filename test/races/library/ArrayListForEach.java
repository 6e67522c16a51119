import java.util.ArrayList;
import java.util.List;
import quiet.Order;

/** Wrong: forEach() over a list in one thread, removeIf() in another. */
public class ArrayListForEach {
    static class Registry {
        final List<Integer> numbers = new ArrayList<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        registry.numbers.add(1);
        Thread reader = new Thread(() -> {
            int[] sum = new int[1];
            registry.numbers.forEach(number -> sum[0] += number);
            Order.reach("read");
        });
        Thread writer = new Thread(() -> {
            Order.await("read");
            registry.numbers.removeIf(number -> number == 1); //! race observed ArrayListForEach$Registry.numbers
        });
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println("ok");
    }
}
