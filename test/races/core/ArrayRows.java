/** Right: two threads work on rows of their own in a two-dimensional array, which the main thread made. */
public class ArrayRows {
    static final double[][] grid = new double[4][8];

    static void fill(int row) {
        double[] cells = grid[row];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = row + i;
            grid[row][i] *= 2;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            fill(0);
            fill(2);
        });
        Thread second = new Thread(() -> {
            fill(1);
            fill(3);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(grid[3][7] == 20 ? "ok" : "wrong cell");
    }
}
