import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import quiet.Order;

/** Wrong: both parts add to the same field instead of returning what they have found. */
public class ForkJoinShared {
    static int found;

    static class Left extends RecursiveAction {
        @Override
        protected void compute() {
            Order.await("right runs");
            found += 1;
            Order.reach("left wrote");
        }
    }

    static class Right extends RecursiveAction {
        @Override
        protected void compute() {
            Order.reach("right runs");
            Order.await("left wrote");
            found += 2; //! race observed ForkJoinShared.found
        }
    }

    static class Search extends RecursiveAction {
        @Override
        protected void compute() {
            Left left = new Left();
            Right right = new Right();
            left.fork();
            right.compute();
            left.join();
        }
    }

    public static void main(String[] arguments) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.invoke(new Search());
        pool.shutdown();
        System.out.println(found == 3 ? "ok" : "wrong count");
    }
}
