import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import quiet.Order;

/** Wrong: forEach() of a parallel stream adds to a shared field. */
public class ParallelForEach {
    static int sum;

    static void add(int value) {
        if (value == 1) {
            Order.await("the other runs");
            sum += value;
            Order.reach("written");
        } else {
            Order.reach("the other runs");
            Order.await("written");
            sum += value; //! race observed ParallelForEach.sum
        }
    }

    public static void main(String[] arguments) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.submit(() -> IntStream.rangeClosed(1, 2).parallel().forEach(ParallelForEach::add)).get();
        pool.shutdown();
        System.out.println(sum == 3 ? "ok" : "wrong sum");
    }
}
