import quiet.Order;

/** Wrong: a thread replaces a row of a two-dimensional array while another reads which row is there. */
public class ArrayRowReplaced {
    static final int[][] grid = new int[4][8];

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            grid[1] = new int[3]; //! race observed ArrayRowReplaced.grid[]
            Order.reach("replaced");
        });
        first.start();
        Order.await("replaced");
        int length = grid[1].length; //! race observed ArrayRowReplaced.grid[]
        first.join();
        System.out.println(length > 0 ? "ok" : "empty");
    }
}
