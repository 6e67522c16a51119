import quiet.Order;

/**
 * Wrong: a mutable object is published by a race. The reader may see the reference before what the constructor and the
 * setter wrote, so the reference and both fields race.
 */
public class UnsafePublication {
    static class Point {
        int x;
        int y;

        Point(int x) {
            this.x = x; //! race observed UnsafePublication$Point.x
        }
    }

    static Point shared;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            Point point = new Point(1);
            point.y = 2; //! race observed UnsafePublication$Point.y
            shared = point; //! race observed UnsafePublication.shared
            Order.reach("published");
        });
        first.start();
        Order.await("published");
        Point point = shared; //! race observed UnsafePublication.shared
        int x = point.x; //! race observed UnsafePublication$Point.x
        int y = point.y; //! race observed UnsafePublication$Point.y
        first.join();
        System.out.println(x + y == 3 ? "ok" : "half a point");
    }
}
