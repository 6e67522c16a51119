import quiet.Threads;

/** Wrong: a private method is no block by itself, what it does counts for the public one that calls it. */
public class NestedPrivate {
    private static final Object LOCK = new Object();
    private static int value;

    public static void increment() {
        incrementInSteps();
    }

    private static void incrementInSteps() {
        int before;
        synchronized (LOCK) {
            before = value;
        }
        synchronized (LOCK) { //! atomicity predicted NestedPrivate.increment
            value = before + 1; //! atomicity predicted NestedPrivate.increment
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(NestedPrivate::increment, NestedPrivate::increment);
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
