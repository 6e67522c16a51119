import quiet.Threads;

/** Wrong: synchronized methods that call those of the other object. */
public class DeadlockSynchronizedMethods {
    static class Friend {
        private int bows;

        synchronized void bow(Friend other) {
            bows++;
            other.bowBack();
        }

        synchronized void bowBack() {
            bows++; //! deadlock 2
        }
    }

    public static void main(String[] arguments) {
        Friend left = new Friend();
        Friend right = new Friend();
        Threads.inTurn(() -> left.bow(right), () -> right.bow(left));
        System.out.println(left.bows == 2 ? "ok" : "lost");
    }
}
