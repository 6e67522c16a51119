import quiet.Threads;

/** Wrong: of three fields of another class that are read one after the other, another thread has written the second. */
public class BatchOtherClass {
    static class Point {
        double x;
        double y;
        double z;
    }

    static double sum(Point point) {
        double sum = point.x;
        sum += point.y; //! race observed BatchOtherClass$Point.y
        sum += point.z;
        return sum;
    }

    public static void main(String[] arguments) {
        Point known = new Point();
        for (int i = 0; i < 5; i++) {
            sum(known); // so that all is known of the class when it matters
        }
        Point point = new Point();
        Threads.inTurn(() -> point.y = 1, () -> sum(point));
        System.out.println(sum(point) == 1 ? "ok" : "lost");
    }
}
