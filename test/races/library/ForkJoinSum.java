import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** Right: fork() comes before compute() of the part, and that before join(). */
public class ForkJoinSum {
    static class Sum extends RecursiveTask<Integer> {
        final int[] numbers;
        int from;
        int to;
        int splits;

        Sum(int[] numbers, int from, int to) {
            this.numbers = numbers;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from <= 16) {
                int sum = 0;
                for (int i = from; i < to; i++) {
                    sum += numbers[i];
                }
                return sum;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(numbers, from, middle);
            Sum right = new Sum(numbers, middle, to);
            left.fork();
            int sum = right.compute() + left.join();
            splits = left.splits + right.splits + 1;
            return sum;
        }
    }

    public static void main(String[] arguments) throws Exception {
        int[] numbers = new int[500];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        ForkJoinPool pool = new ForkJoinPool(3);
        Sum sum = new Sum(numbers, 0, numbers.length);
        int result = pool.invoke(sum);
        numbers[0] = sum.splits;
        pool.shutdown();
        Sum common = new Sum(numbers, 0, 100);
        int few = ForkJoinPool.commonPool().submit(common).get();
        if (result != 124750 || sum.splits != 31 || few != 4950 + 31) {
            throw new AssertionError(result + " " + sum.splits + " " + few);
        }
        System.out.println("ok");
    }
}
