import quiet.Threads;

/** Wrong in both methods, but only one of them says that it should be atomic. */
public class AnnotatedOnly {
    //! options: --atomic annotated
    @interface Atomic {
    }

    private static final Object LOCK = new Object();
    private static int value;

    @Atomic
    static void twice() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted AnnotatedOnly.twice
            value++; //! atomicity predicted AnnotatedOnly.twice
        }
    }

    public static void notAnnotated() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(AnnotatedOnly::twice, AnnotatedOnly::notAnnotated);
        System.out.println(value == 4 ? "ok" : "lost");
    }
}
