import java.util.Arrays;
import java.util.stream.IntStream;

/** Right: the functions of a parallel stream read what main has written before, and main writes it again after. */
public class ParallelSum {
    static class Item {
        int weight;
    }

    static int factor = 1;

    public static void main(String[] arguments) throws Exception {
        Item[] items = new Item[200];
        for (int i = 0; i < items.length; i++) {
            items[i] = new Item();
            items[i].weight = i;
        }
        for (int round = 1; round <= 3; round++) {
            factor = round;
            int sum = Arrays.stream(items).parallel().mapToInt(item -> item.weight * factor).sum();
            if (sum != 19900 * round) {
                throw new AssertionError(sum);
            }
        }
        IntStream.range(0, items.length).parallel().forEach(i -> items[i].weight++);
        int total = 0;
        for (Item item : items) {
            total += item.weight;
        }
        if (total != 20100) {
            throw new AssertionError(total);
        }
        System.out.println("ok");
    }
}
