import quiet.Threads;

/** Wrong: two locks in sequence; between the two others see the money nowhere. */
public class TwoSections {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static int left = 10;
    private static int right;

    public static void move(int amount) {
        synchronized (LEFT) {
            left -= amount;
        }
        synchronized (RIGHT) { //! atomicity predicted TwoSections.move
            right += amount; //! atomicity predicted TwoSections.move
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> move(1), () -> move(2));
        System.out.println(left == 7 && right == 3 ? "ok" : "lost");
    }
}
