import quiet.Threads;

/** Constructors and class initializers are no blocks. */
public class NoBlockConstructor {
    private static final Object LOCK = new Object();
    private static int value;

    static class Part {
        static {
            step();
            step();
        }

        Part() {
            step();
            step();
        }
    }

    static void step() {
        synchronized (LOCK) {
            value++;
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(Part::new, NoBlockConstructor::step);
        System.out.println(value == 5 ? "ok" : "lost");
    }
}
