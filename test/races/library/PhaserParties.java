import java.util.concurrent.Phaser;

/**
 * Right: parties come and go, arrive() and awaitAdvance() are used apart, and onAdvance() runs between the phases.
 */
public class PhaserParties {
    static class Total extends Phaser {
        final int[] cells = new int[4];
        int sum;

        Total() {
            super(1);
        }

        @Override
        protected boolean onAdvance(int phase, int parties) {
            for (int cell : cells) {
                sum += cell;
            }
            return false;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Total total = new Total();
        for (int i = 0; i < 4; i++) {
            int number = i;
            total.register();
            new Thread(() -> {
                total.cells[number] = number + 1;
                if (number % 2 == 0) {
                    int phase = total.arrive();
                    total.awaitAdvance(phase);
                    if (total.sum != 10) {
                        throw new AssertionError(total.sum);
                    }
                    total.cells[number] = 0;
                }
                total.arriveAndDeregister();
            }).start();
        }
        total.arriveAndAwaitAdvance();
        int first = total.sum;
        total.arriveAndAwaitAdvance();
        if (first != 10 || total.sum != 16) {
            throw new AssertionError(first + " " + total.sum);
        }
        System.out.println("ok");
    }
}
