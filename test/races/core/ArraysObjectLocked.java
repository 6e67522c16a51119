/** With one state for a whole array: right, as the array's own lock is held for every element. */
public class ArraysObjectLocked {
    //! options: --arrays object
    static final int[] cells = new int[8];

    static void add(int i) {
        for (int round = 0; round < 50; round++) {
            synchronized (cells) {
                cells[i]++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> add(0));
        Thread second = new Thread(() -> add(7));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(cells[0] + cells[7] == 100 ? "ok" : "lost an addition");
    }
}
