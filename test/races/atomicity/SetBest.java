import quiet.Threads;

/**
 * The length is looked at without the lock first, and again with it. A race, and not atomic: the first look and what
 * is done under the lock are two steps.
 */
public class SetBest {
    private static final Object LOCK = new Object();
    private static int best = 100;

    public static void setBest(int length) {
        if (length < best) { //! race observed SetBest.best
            synchronized (LOCK) { //! atomicity predicted SetBest.setBest
                if (length < best) { //! atomicity predicted SetBest.setBest
                    //! atomicity predicted SetBest.setBest
                    best = length; //! race observed SetBest.best
                }
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> setBest(50), () -> setBest(40));
        System.out.println(best == 40 ? "ok" : "not the best");
    }
}
