import quiet.Order;

/** Wrong: an array of objects is only read, but two threads change a field of the object in one element. */
public class ArrayOfObjects {
    static class Cell {
        int value;
    }

    static final Cell[] cells = {new Cell(), new Cell()};

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            cells[0].value++;
            cells[1].value++; //! race observed ArrayOfObjects$Cell.value
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        cells[1].value++; //! race observed ArrayOfObjects$Cell.value
        first.join();
        System.out.println("ok");
    }
}
