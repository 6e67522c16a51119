import quiet.Order;

/** Without arrays: the race on an element is not looked for, that on a field is. */
public class ArraysOff {
    //! options: --arrays off
    static final int[] cells = new int[8];
    static int field;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            cells[0] = 1;
            field = 1; //! race observed ArraysOff.field
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        cells[0] = 2;
        field = 2; //! race observed ArraysOff.field
        first.join();
        System.out.println("ok");
    }
}
