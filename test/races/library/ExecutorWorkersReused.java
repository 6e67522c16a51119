import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Right: many short tasks on two workers, each with state of its own and of its worker. */
public class ExecutorWorkersReused {
    static class Scratch {
        final int[] cells = new int[8];
        int uses;
    }

    static final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

    static int fill(int value) {
        Scratch mine = scratch.get();
        mine.uses++;
        int sum = 0;
        for (int i = 0; i < mine.cells.length; i++) {
            mine.cells[i] = value;
        }
        for (int cell : mine.cells) {
            sum += cell;
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int value = i;
            futures.add(executor.submit(() -> fill(value)));
        }
        int sum = 0;
        for (Future<Integer> future : futures) {
            sum += future.get();
        }
        executor.shutdown();
        if (sum != 8 * 4950) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
