import quiet.Threads;

/**
 * All methods are wrong. A comment says of each that it should be atomic, or not; a file of lock types counts more than
 * comments, and a list of methods more than both.
 */
public class DeclaredTwice {
    //! options: --atomic annotated --locks FOLDER/DeclaredTwice.locks --atomic-methods FOLDER/DeclaredTwice.txt --source FOLDER/DeclaredTwice.java
    private static final Object LOCK = new Object();
    private static int value;

    private static void comment() /*# atomic */ {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredTwice.comment
            value++; //! atomicity predicted DeclaredTwice.comment
        }
    }

    private static void fileSaysNo() /*# atomic */ {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    private static void fileSaysYes() /*# atomicity cmpd */ {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredTwice.fileSaysYes
            value++; //! atomicity predicted DeclaredTwice.fileSaysYes
        }
    }

    private static void listSaysNo() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    private static void listed(int[] items, String... more) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredTwice.listed
            value++; //! atomicity predicted DeclaredTwice.listed
        }
    }

    private static void listed(int items, String... more) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    private static void everything() {
        comment();
        fileSaysNo();
        fileSaysYes();
        listSaysNo();
        listed(new int[0]);
        listed(0);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeclaredTwice::everything, DeclaredTwice::everything);
        System.out.println(value == 24 ? "ok" : "lost");
    }
}
