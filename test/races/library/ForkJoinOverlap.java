import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import quiet.Order;

/** Wrong: the halves overlap by one element. */
public class ForkJoinOverlap {
    static final int[] numbers = new int[9];

    static class Left extends RecursiveAction {
        @Override
        protected void compute() {
            Order.await("right runs");
            for (int i = 0; i <= 4; i++) {
                numbers[i]++;
            }
            Order.reach("left wrote");
        }
    }

    static class Right extends RecursiveAction {
        @Override
        protected void compute() {
            Order.reach("right runs");
            Order.await("left wrote");
            for (int i = 4; i <= 8; i++) {
                numbers[i]++; //! race observed ForkJoinOverlap.numbers[]
            }
        }
    }

    static class All extends RecursiveAction {
        @Override
        protected void compute() {
            invokeAll(new Left(), new Right());
        }
    }

    public static void main(String[] arguments) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.invoke(new All());
        pool.shutdown();
        System.out.println(numbers[4] == 2 ? "ok" : "wrong number");
    }
}
