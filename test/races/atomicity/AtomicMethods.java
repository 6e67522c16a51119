import quiet.Threads;

/** Wrong in both methods. A file says that the one should be atomic, and that the other should not. */
public class AtomicMethods {
    //! options: --atomic-methods FOLDER/AtomicMethods.txt
    private static final Object LOCK = new Object();
    private static int value;

    static void added() {
        step();
        step();
    }

    public static void exempt() {
        step();
        step();
    }

    private static void step() {
        synchronized (LOCK) { //! atomicity predicted AtomicMethods.added
            value++; //! atomicity predicted AtomicMethods.added
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(AtomicMethods::added, AtomicMethods::exempt);
        System.out.println(value == 4 ? "ok" : "lost");
    }
}
