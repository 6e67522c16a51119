import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** Right: a merge sort: the two halves of the array belong to two tasks until both are joined by invokeAll(). */
public class ForkJoinHalves {
    static final int[] numbers = new int[300];

    static class Sort extends RecursiveAction {
        final int from;
        final int to;

        Sort(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from < 2) {
                return;
            }
            int middle = (from + to) / 2;
            invokeAll(new Sort(from, middle), new Sort(middle, to));
            int[] merged = new int[to - from];
            int left = from;
            int right = middle;
            for (int i = 0; i < merged.length; i++) {
                boolean takeLeft = right == to || left < middle && numbers[left] <= numbers[right];
                merged[i] = takeLeft ? numbers[left++] : numbers[right++];
            }
            for (int i = 0; i < merged.length; i++) {
                numbers[from + i] = merged[i];
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i * 7 % numbers.length;
        }
        ForkJoinPool pool = new ForkJoinPool(3);
        pool.invoke(new Sort(0, numbers.length));
        pool.shutdown();
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != i) {
                throw new AssertionError(i);
            }
        }
        System.out.println("ok");
    }
}
