import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import quiet.Order;

/** Wrong: an atomic count in one element of an array does not guard the plain element beside it. */
public class VarHandleArrayOtherElement {
    static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);
    static final int[] cells = new int[2];

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            COUNT.getAndAdd(cells, 0, 1);
            Order.await("second counted");
            cells[1] = 1;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            COUNT.getAndAdd(cells, 0, 1);
            Order.reach("second counted");
            Order.await("first wrote");
            cells[1] = 2; //! race observed VarHandleArrayOtherElement.cells[]
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
