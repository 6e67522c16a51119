import quiet.Threads;

/** Wrong: the second inner lock is taken after the first was given up; that the outer one is held does not help. */
public class NestedThenAnother {
    private static final Object OUTER = new Object();
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static int left = 10;
    private static int right;

    public static void move(int amount) {
        synchronized (OUTER) {
            synchronized (LEFT) {
                left -= amount;
            }
            synchronized (RIGHT) { //! atomicity predicted NestedThenAnother.move
                right += amount;
            }
        }
    }

    public static void addLeft(int amount) {
        synchronized (LEFT) {
            left += amount;
        }
    }

    public static void addRight(int amount) {
        synchronized (RIGHT) {
            right += amount;
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> move(1), () -> {
            addLeft(1);
            addRight(1);
        });
        System.out.println(left == 10 && right == 2 ? "ok" : "lost");
    }
}
