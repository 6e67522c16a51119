/** Ordered by a volatile flag, and never under a lock: shown with --discipline. The flag itself is right. */
public class DisciplineVolatile {
    //! options: --discipline
    static int value;
    static volatile boolean ready;

    public static void main(String[] arguments) throws InterruptedException {
        value = 1;
        Thread writer = new Thread(() -> {
            value = 2; //! race discipline DisciplineVolatile.value
            ready = true;
        });
        Thread reader = new Thread(() -> {
            while (!ready) {
                Thread.yield();
            }
            if (value != 2) { //! race discipline DisciplineVolatile.value
                throw new IllegalStateException();
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
