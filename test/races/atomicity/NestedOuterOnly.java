import quiet.Threads;

/** Wrong on the outside: each call of the inner block is atomic, but two of them are not. */
public class NestedOuterOnly {
    private static final Object LOCK = new Object();
    private static int value;

    public static void inner() {
        synchronized (LOCK) { //! atomicity predicted NestedOuterOnly.outer
            value++; //! atomicity predicted NestedOuterOnly.outer
        }
    }

    public static void middle() {
        inner();
    }

    public static void outer() {
        middle();
        middle();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(NestedOuterOnly::outer, NestedOuterOnly::inner);
        System.out.println(value == 3 ? "ok" : "lost");
    }
}
