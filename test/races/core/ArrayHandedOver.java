/** Right: an array goes from thread to thread by start and join; each changes all of it. */
public class ArrayHandedOver {
    static int[] change(int[] cells) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cells[i] * 2 + 1;
        }
        return cells;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] cells = change(new int[100]);
        for (int round = 0; round < 3; round++) {
            Thread thread = new Thread(() -> change(cells));
            thread.start();
            thread.join();
            change(cells);
        }
        System.out.println(cells[99] == 127 ? "ok" : "wrong cell " + cells[99]);
    }
}
