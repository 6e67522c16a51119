import quiet.Threads;

/**
 * The heuristics, and a file of lock types beside them: what it declares should be atomic, whoever can call it; what it
 * declares to be something else need not, but the synchronized blocks in it still should.
 */
public class DeclaredBeside {
    //! options: --locks FOLDER/DeclaredBeside.locks
    private static final Object LOCK = new Object();
    private static int value;

    private static void hidden() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredBeside.hidden
            value++; //! atomicity predicted DeclaredBeside.hidden
        }
    }

    private static void unmentioned() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    public static void exported() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredBeside.exported
            value++; //! atomicity predicted DeclaredBeside.exported
        }
    }

    public static void severalSteps() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    public static void stepsInABlock(Object mine) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
        synchronized (mine) {
            synchronized (LOCK) {
                value++;
            }
            synchronized (LOCK) { //! atomicity predicted DeclaredBeside.stepsInABlock
                value++; //! atomicity predicted DeclaredBeside.stepsInABlock
            }
        }
    }

    private static void everything() {
        hidden();
        unmentioned();
        exported();
        severalSteps();
        stepsInABlock(new Object());
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeclaredBeside::everything, DeclaredBeside::everything);
        System.out.println(value == 24 ? "ok" : "lost");
    }
}
