import quiet.Order;

/** Wrong: a record's own fields are final, but its static counter of instances is not protected. */
public class RecordStatic {
    record Point(int x, int y) {
        static int made;

        Point {
            made++; //! race observed RecordStatic$Point.made
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            new Point(1, 2);
            Order.reach("made");
        });
        first.start();
        Order.await("made");
        Point point = new Point(3, 4);
        first.join();
        System.out.println(point.x() + point.y() == 7 ? "ok" : "wrong point");
    }
}
