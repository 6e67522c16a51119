/** Right: an array whose elements are used under one lock, which is not the array's. */
public class ArrayLocked {
    private final short[] cells = new short[16];

    void add() {
        synchronized (this) {
            for (int i = 0; i < cells.length; i++) {
                cells[i] += 1;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        ArrayLocked locked = new ArrayLocked();
        Runnable work = () -> {
            for (int i = 0; i < 50; i++) {
                locked.add();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(locked.cells[15] == 100 ? "ok" : "lost an addition");
    }
}
