import quiet.Order;
import quiet.Threads;

/**
 * Wrong: between the two writes of a block comes a thread that reads both, one of them as often before. Such reads tell
 * nothing new, and need not be recorded; but this one comes behind the block's first write, because that was read, too.
 */
public class RepeatedOutside {
    //! options: --atomicity reduction
    private static int often;
    private static int once;

    public static void write() {
        once = 1; //! race observed RepeatedOutside.once
        Order.reach("written");
        Order.await("read");
        often = 1; //! atomicity observed RepeatedOutside.write //! race observed RepeatedOutside.often
    }

    private static int look(int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            sum += often;
        }
        return sum;
    }

    public static void main(String[] arguments) {
        Threads.together(RepeatedOutside::write, () -> {
            int sum = look(5);
            Order.await("written");
            sum += once;
            sum += look(5);
            Order.reach("read");
            System.out.println(sum == 1 ? "ok" : "wrong: " + sum);
        });
    }
}
