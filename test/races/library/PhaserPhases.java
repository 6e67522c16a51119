import java.util.concurrent.Phaser;

/** Right: arriveAndAwaitAdvance() separates the phases like a barrier. */
public class PhaserPhases {
    static final int THREADS = 3;
    static final Phaser phaser = new Phaser(THREADS);
    static final int[] cells = new int[THREADS];

    static void work(int number) {
        for (int round = 1; round <= 20; round++) {
            cells[number] = round;
            phaser.arriveAndAwaitAdvance();
            if (cells[(number + 1) % THREADS] != round) {
                throw new AssertionError();
            }
            phaser.arriveAndAwaitAdvance();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> work(number));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("ok");
    }
}
