/** Right: lambdas capture values that do not change, and each thread changes its own object. */
public class LambdaCapture {
    interface Step {
        int apply(int value);
    }

    static class Cell {
        int value;
    }

    static Thread counting(Cell cell, int base, long factor) {
        Step step = value -> value + base;
        Step twice = value -> step.apply(step.apply(value));
        return new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                cell.value = (int) (twice.apply(cell.value) * factor);
            }
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        Cell one = new Cell();
        Cell two = new Cell();
        Thread first = counting(one, 1, 1L);
        Thread second = counting(two, 2, 1L);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(one.value == 20 && two.value == 40 ? "ok" : "wrong count");
    }
}
