import quiet.Order;
import quiet.Threads;

/**
 * Wrong: a block reads what others write, again and again at one line. Twice is enough to break it, and how often does
 * not matter. Others come between only behind many reads.
 */
public class RepeatedInside {
    //! options: --atomicity reduction
    private static int value;

    public static int sum() {
        int sum = 0;
        for (int i = 0; i < 100; i++) {
            if (i == 50) {
                Order.reach("halfway");
                Order.await("written");
            }
            sum += value; //! atomicity observed RepeatedInside.sum //! race observed RepeatedInside.value
        }
        return sum;
    }

    public static void main(String[] arguments) {
        Threads.together(() -> System.out.println(sum() == 50 ? "ok" : "wrong"), () -> {
            Order.await("halfway");
            value = 1;
            Order.reach("written");
        });
    }
}
