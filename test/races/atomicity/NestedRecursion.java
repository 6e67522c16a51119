import quiet.Threads;

/** Wrong: a block inside itself; the outer ones are not atomic, the innermost is. */
public class NestedRecursion {
    private static final Object LOCK = new Object();
    private static int value;

    public static void add(int times) {
        synchronized (LOCK) { //! atomicity predicted NestedRecursion.add
            value++; //! atomicity predicted NestedRecursion.add
        }
        if (times > 1) {
            add(times - 1);
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> add(3), () -> add(1));
        System.out.println(value == 4 ? "ok" : "lost");
    }
}
