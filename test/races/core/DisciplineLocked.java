/** Right with --discipline: once more than one thread has the field, every access is under the lock. */
public class DisciplineLocked {
    //! options: --discipline
    static final Object LOCK = new Object();
    static int value;

    static int add() {
        synchronized (LOCK) {
            return ++value;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        value = 1; // initialization needs no lock
        Thread first = new Thread(DisciplineLocked::add);
        Thread second = new Thread(DisciplineLocked::add);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(add() == 4 ? "ok" : "lost an addition");
    }
}
