import quiet.Threads;

/** Wrong: the elements of an array are variables like others. */
public class ArrayTwoSections {
    private static final Object LOCK = new Object();
    private static final int[] cells = new int[2];

    public static void increment(int index) {
        int before;
        synchronized (LOCK) {
            before = cells[index];
        }
        synchronized (LOCK) { //! atomicity predicted ArrayTwoSections.increment
            cells[index] = before + 1; //! atomicity predicted ArrayTwoSections.increment
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> increment(1), () -> increment(1));
        System.out.println(cells[1] == 2 ? "ok" : "lost");
    }
}
