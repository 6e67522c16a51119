import quiet.Threads;

/** Right: the list is locked from the first step of the loop to the last. */
public class IteratorLocked {
    static class Numbers {
        private final int[] items = new int[10];
        private int size = 3;

        public synchronized int size() {
            return size;
        }

        public synchronized int get(int index) {
            return items[index];
        }

        public synchronized void add(int item) {
            items[size++] = item;
        }
    }

    public static int sum(Numbers numbers) {
        int sum = 0;
        synchronized (numbers) {
            for (int i = 0; i < numbers.size(); i++) {
                sum += numbers.get(i);
            }
        }
        return sum;
    }

    public static void main(String[] arguments) {
        Numbers numbers = new Numbers();
        Threads.together(() -> sum(numbers), () -> numbers.add(5));
        System.out.println(sum(numbers) == 5 ? "ok" : "lost");
    }
}
