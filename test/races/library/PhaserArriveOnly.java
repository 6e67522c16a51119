import java.util.concurrent.Phaser;
import quiet.Order;

/** Wrong: arrive() tells the others, but does not wait for them. */
public class PhaserArriveOnly {
    static final Phaser phaser = new Phaser(2);
    static final int[] cells = new int[2];

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            phaser.arrive();
            Order.reach("first arrived");
            Order.await("second wrote");
            int neighbour = cells[1]; //! race observed PhaserArriveOnly.cells[]
            if (neighbour != 1) {
                throw new AssertionError(neighbour);
            }
        });
        Thread second = new Thread(() -> {
            Order.await("first arrived");
            cells[1] = 1;
            Order.reach("second wrote");
            phaser.arriveAndAwaitAdvance();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
