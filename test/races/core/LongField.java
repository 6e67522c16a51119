import quiet.Order;

/**
 * Wrong: a long and a double, which take two slots on the operand stack, are added to without a lock, through
 * expressions that keep other values on the stack.
 */
public class LongField {
    static class Sums {
        long count;
        double weight;
        static long all;
    }

    static double add(Sums sums, long more) {
        double result = more + (sums.count += more) * 2; //! race observed LongField$Sums.count
        result = result / (more + (sums.weight += 0.5 * more)); //! race observed LongField$Sums.weight
        return Math.max(result, Sums.all++); //! race observed LongField$Sums.all
    }

    public static void main(String[] arguments) throws InterruptedException {
        Sums sums = new Sums();
        Thread first = new Thread(() -> {
            add(sums, 1L << 40);
            Order.reach("added");
        });
        first.start();
        Order.await("added");
        double result = add(sums, 2);
        first.join();
        System.out.println(result > 0 ? "ok" : "negative");
    }
}
