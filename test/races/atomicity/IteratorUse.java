import quiet.Threads;

/** Wrong: the list can change between any two steps of the loop. */
public class IteratorUse {
    static class Numbers {
        private final int[] items = new int[10];
        private int size = 3;

        public synchronized int size() {
            return size; //! atomicity predicted IteratorUse.sum
        }

        public synchronized int get(int index) {
            return items[index]; //! atomicity predicted IteratorUse.sum
        }

        public synchronized void add(int item) {
            items[size++] = item;
        }
    }

    public static int sum(Numbers numbers) {
        int sum = 0;
        for (int i = 0; i < numbers.size(); i++) {
            sum += numbers.get(i);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        Numbers numbers = new Numbers();
        Threads.inTurn(() -> sum(numbers), () -> numbers.add(5));
        System.out.println(sum(numbers) == 5 ? "ok" : "lost");
    }
}
