import quiet.Order;

/** Wrong: two threads write the same element of an array. */
public class ArrayElement {
    static class Table {
        final int[] cells = new int[8];
    }

    public static void main(String[] arguments) throws InterruptedException {
        Table table = new Table();
        Thread first = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                table.cells[i] = i; //! race observed ArrayElement$Table.cells[]
            }
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        for (int i = 4; i < 8; i++) { // element 4 is common
            table.cells[i] += i; //! race observed ArrayElement$Table.cells[]
        }
        first.join();
        System.out.println("ok");
    }
}
