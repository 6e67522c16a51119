import quiet.Threads;

/** Right: synchronized blocks inside one for the same object. */
public class ReentrantBlocks {
    private static final Object LOCK = new Object();
    private static int left;
    private static int right;

    public static void move() {
        synchronized (LOCK) {
            synchronized (LOCK) {
                left--;
            }
            synchronized (LOCK) { //! with --without reentrant-locks: atomicity predicted ReentrantBlocks.move
                right++;
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ReentrantBlocks::move, ReentrantBlocks::move);
        System.out.println(left + right == 0 ? "ok" : "lost");
    }
}
