import quiet.Threads;

/** Wrong with all refinements: the reader without the lock can see what is between two writes. */
public class WriteProtectedTwoWrites {
    private static final Object LOCK = new Object();
    private static int x;

    public static void pass() {
        synchronized (LOCK) {
            x = 1;
            x = 2; //! atomicity predicted WriteProtectedTwoWrites.pass
        }
    }

    public static int peek() {
        return x; //! race observed WriteProtectedTwoWrites.x
    }

    public static void main(String[] arguments) {
        Threads.inTurn(WriteProtectedTwoWrites::pass, WriteProtectedTwoWrites::peek);
        System.out.println(peek() == 2 ? "ok" : "lost");
    }
}
