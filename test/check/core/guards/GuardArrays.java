import net.jcip.annotations.GuardedBy;

/** Elements are guarded like the field that the array was reached through. */
final class GuardArrays {
    private final Object lock = new Object();
    @GuardedBy("this") private int[] numbers = new int[8];
    @GuardedBy("lock") private final String[] names = new String[8];
    @GuardedBy("this") private int[][] grid = new int[4][4];
    @GuardedBy("GuardArrays.class") private static long[] totals = new long[4];

    synchronized int get(int index) {
        return numbers[index]; // silent
    }

    int getWithout(int index) {
        return numbers[index]; // expect: guard-not-held
    }

    void setWithout(int index, int value) {
        numbers[index] = value; // expect: guard-not-held
        names[index] = "x"; // expect: guard-not-held
        totals[index]++; // expect: guard-not-held
        grid[index][0] = value; // expect: guard-not-held
    }

    void set(int index, int value) {
        synchronized (this) {
            numbers[index] = value; // silent
            grid[index][0]++; // silent
        }
        synchronized (lock) {
            names[index] = "x"; // silent
        }
        synchronized (GuardArrays.class) {
            totals[index] += value; // silent
        }
    }

    void reachedEarlier(int index) {
        int[] array;
        synchronized (this) {
            array = numbers; // silent
            array[index] = 1; // silent
        }
        array[index] = 2; // expect: guard-not-held; the array came from the field
        int value = array[index]; // expect: guard-not-held
        synchronized (this) {
            array[index] = 3; // silent
        }
        synchronized (lock) {
            array[index] = 4; // expect: guard-not-held
        }
    }

    void row(int index) {
        int[] row;
        synchronized (this) {
            row = grid[index]; // silent
            row[0] = 1; // silent
        }
        row[1] = 1; // expect: guard-not-held; a row was reached through the field as well
    }

    int lengthWithout() {
        return numbers.length; // expect: guard-not-held; the field is read
    }

    synchronized int[] copy() {
        int[] copy = numbers.clone(); // silent
        copy[0] = 1; // silent: nobody else has the copy
        return copy;
    }

    void replace() {
        int[] fresh = new int[8];
        fresh[0] = 1; // silent
        synchronized (this) {
            numbers = fresh; // silent
        }
    }

    static int sum(int[] parameter) {
        int sum = 0;
        for (int element : parameter) { // silent: nothing is known of the array
            sum += element;
        }
        return sum;
    }

    int loop() {
        int sum = 0;
        for (int element : numbers) { // expect: guard-not-held
            sum += element;
        }
        synchronized (this) {
            for (int element : numbers) { // silent
                sum += element;
            }
        }
        return sum;
    }
}
