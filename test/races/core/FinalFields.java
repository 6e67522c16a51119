import quiet.Order;

/**
 * Wrong in one of three: an immutable object is published by a race. Its final fields may be read all the same, as the
 * language guarantees; the reference itself races.
 */
public class FinalFields {
    static class Point {
        final int x;
        final long y;

        Point(int x, long y) {
            this.x = x;
            this.y = y;
        }
    }

    static Point shared;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            shared = new Point(1, 2); //! race observed FinalFields.shared
            Order.reach("published");
        });
        first.start();
        Order.await("published");
        Point point = shared; //! race observed FinalFields.shared
        long sum = point.x + point.y;
        first.join();
        System.out.println(sum == 3 ? "ok" : "half a point");
    }
}
