import quiet.Threads;

/**
 * Right: what another thread has written, or reads, is never read or written here, because something fails before.
 */
public class BatchNotReached {
    int value;
    int other;
    BatchNotReached next;

    /** Writes nothing if the divisor is 0. */
    void divide(int divisor) {
        value = value / divisor;
    }

    /** Does not read other if there is no next. */
    int sum() {
        return value + next.value + other;
    }

    /** Does not read the other's second number if it has none. */
    static int first(Pair pair, int[] numbers, int index) {
        return pair.left + numbers[index] + pair.right;
    }

    static class Pair {
        int left;
        int right;
    }

    interface Attempt {
        void run();
    }

    static void fails(Attempt attempt) {
        try {
            attempt.run();
            throw new IllegalStateException("did not fail");
        } catch (ArithmeticException | NullPointerException | ArrayIndexOutOfBoundsException expected) {
            // nothing was accessed behind it
        }
    }

    public static void main(String[] arguments) {
        BatchNotReached object = new BatchNotReached();
        object.next = new BatchNotReached();
        Pair pair = new Pair();
        for (int i = 0; i < 5; i++) {
            object.divide(1);
            object.sum();
            first(pair, new int[1], 0);
        }
        object.next = null;
        Threads.inTurn(
                () -> {
                    int read = object.value;
                    object.other = read + 1;
                    pair.right = 1;
                },
                () -> {
                    fails(() -> object.divide(0));
                    fails(object::sum);
                    fails(() -> first(pair, new int[1], 1));
                });
        System.out.println("ok");
    }
}
