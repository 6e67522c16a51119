/** Ordered by start and join, and never under a lock: shown with --discipline only. StartJoin is the twin without. */
public class DisciplineJoin {
    //! options: --discipline
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        value = 1; // the first owner
        Thread thread = new Thread(() -> {
            value = 2; //! race discipline DisciplineJoin.value
        });
        thread.start();
        thread.join();
        value = 3; //! race discipline DisciplineJoin.value
        System.out.println("ok");
    }
}
