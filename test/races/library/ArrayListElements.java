import java.util.ArrayList;
import java.util.List;

/** Right: the list is only read; each thread changes the elements that are its own. */
public class ArrayListElements {
    static class Cell {
        int value;
    }

    static final List<Cell> cells = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 20; i++) {
            cells.add(new Cell());
        }
        Thread even = new Thread(() -> {
            for (int i = 0; i < 20; i += 2) {
                cells.get(i).value++;
            }
        });
        Thread odd = new Thread(() -> {
            for (int i = 1; i < 20; i += 2) {
                cells.get(i).value++;
            }
        });
        even.start();
        odd.start();
        even.join();
        odd.join();
        for (Cell cell : cells) {
            if (cell.value != 1) {
                throw new AssertionError(cell.value);
            }
        }
        System.out.println("ok");
    }
}
