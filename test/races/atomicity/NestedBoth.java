import quiet.Threads;

/** Wrong: what is wrong with the inner block is wrong with the one around it. */
public class NestedBoth {
    static class Counter {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int to) {
            value = to; //! atomicity predicted NestedBoth.inner //! atomicity predicted NestedBoth.outer
        }
    }

    private static final Counter counter = new Counter();

    public static void inner() {
        counter.set(counter.get() + 1);
    }

    public static void outer() {
        inner();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(NestedBoth::outer, NestedBoth::outer);
        System.out.println(counter.get() == 2 ? "ok" : "lost");
    }
}
