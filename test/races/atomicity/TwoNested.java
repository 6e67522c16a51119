import quiet.Threads;

/** Right: both locks are held before the first is given up. */
public class TwoNested {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static int left = 10;
    private static int right;

    public static void move(int amount) {
        synchronized (LEFT) {
            left -= amount;
            synchronized (RIGHT) {
                right += amount;
            }
        }
    }

    public static int sum() {
        synchronized (LEFT) {
            synchronized (RIGHT) {
                return left + right;
            }
        }
    }

    public static int right() {
        synchronized (RIGHT) {
            return right;
        }
    }

    public static void main(String[] arguments) {
        Threads.together(() -> move(1), () -> move(2), TwoNested::right);
        System.out.println(sum() == 10 ? "ok" : "lost");
    }
}
