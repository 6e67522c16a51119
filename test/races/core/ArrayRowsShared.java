import quiet.Order;

/** Wrong: two threads write the same cell of a two-dimensional array. The rows themselves are only read. */
public class ArrayRowsShared {
    static final int[][] grid = new int[4][8];

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            grid[1][2] = 5; //! race observed ArrayRowsShared.grid[]
            grid[1][3] = 5;
            grid[2][2] = 5;
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        grid[1][2]++; //! race observed ArrayRowsShared.grid[]
        first.join();
        System.out.println("ok");
    }
}
