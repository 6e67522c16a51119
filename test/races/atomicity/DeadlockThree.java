import quiet.Threads;

/** Wrong: three threads, each of which can wait for the next. No two of them are a danger by themselves. */
public class DeadlockThree {
    private static final Object A = new Object();
    private static final Object B = new Object();
    private static final Object C = new Object();

    static void first() {
        synchronized (A) {
            synchronized (B) { //! deadlock 3
            }
        }
    }

    static void second() {
        synchronized (B) {
            synchronized (C) { //! deadlock 3
            }
        }
    }

    static void third() {
        synchronized (C) {
            synchronized (A) { //! deadlock 3
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockThree::first, DeadlockThree::second, DeadlockThree::third);
        System.out.println("ok");
    }
}
