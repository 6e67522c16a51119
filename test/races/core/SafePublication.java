import quiet.Order;

/** Right: the twin of UnsafePublication with a volatile reference. */
public class SafePublication {
    static class Point {
        int x;
        int y;

        Point(int x) {
            this.x = x;
        }
    }

    static volatile Point shared;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            Point point = new Point(1);
            point.y = 2;
            shared = point;
            Order.reach("published");
        });
        first.start();
        Order.await("published");
        Point point = shared;
        int sum = point.x + point.y;
        first.join();
        System.out.println(sum == 3 ? "ok" : "half a point");
    }
}
