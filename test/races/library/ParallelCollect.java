import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Right: each part of a parallel stream collects into a container of its own, and they are merged one by one. */
public class ParallelCollect {
    static class Statistics {
        int count;
        int sum;

        void add(int value) {
            count++;
            sum += value;
        }

        void merge(Statistics other) {
            count += other.count;
            sum += other.sum;
            other.count = 0;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int round = 0; round < 5; round++) {
            Statistics all = IntStream.range(0, 1000).parallel()
                    .collect(Statistics::new, Statistics::add, Statistics::merge);
            all.count++;
            if (all.count != 1001 || all.sum != 499500) {
                throw new AssertionError(all.count);
            }
            List<String> texts = IntStream.range(0, 100).parallel().mapToObj(i -> "text").collect(Collectors.toList());
            texts.add("more");
            if (texts.size() != 101) {
                throw new AssertionError(texts.size());
            }
        }
        System.out.println("ok");
    }
}
