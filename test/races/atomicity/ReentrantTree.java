import quiet.Threads;

/** Right: a recursion that takes the same lock at each of its steps. */
public class ReentrantTree {
    private static int leaves;

    public static synchronized void walk(int depth) {
        if (depth == 0) { //! with --without reentrant-locks: atomicity predicted ReentrantTree.walk
            leaves++;
            return;
        }
        walk(depth - 1);
        walk(depth - 1);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> walk(2), () -> walk(1));
        System.out.println(leaves == 6 ? "ok" : "lost");
    }
}
