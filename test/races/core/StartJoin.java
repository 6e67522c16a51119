/** Right: what is written before start is seen by the thread, and what it wrote is seen after join. */
public class StartJoin {
    static class Task {
        int input;
        int output;
        int[] cells;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Task task = new Task();
        task.input = 20;
        task.cells = new int[] {1, 2, 3};
        Thread thread = new Thread(() -> {
            task.input++;
            task.cells[2]++;
            task.output = task.input * 2;
        });
        thread.start();
        thread.join();
        task.output += task.cells[2] - 4;
        System.out.println(task.output == 42 ? "ok" : "not seen");
    }
}
