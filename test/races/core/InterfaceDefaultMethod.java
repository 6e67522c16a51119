import quiet.Order;

/** Wrong: default and static methods of an interface write the element of an array that the interface has. */
public class InterfaceDefaultMethod {
    interface Counting {
        int[] CELLS = new int[1];

        default void count() {
            CELLS[0]++; //! race observed InterfaceDefaultMethod$Counting.CELLS[]
        }

        static int counted() {
            return CELLS[0]; //! race observed InterfaceDefaultMethod$Counting.CELLS[]
        }
    }

    static class Impl implements Counting {
    }

    public static void main(String[] arguments) throws InterruptedException {
        Impl impl = new Impl();
        Thread first = new Thread(() -> {
            impl.count();
            Order.reach("counted");
        });
        first.start();
        Order.await("counted");
        int seen = Counting.counted();
        first.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
