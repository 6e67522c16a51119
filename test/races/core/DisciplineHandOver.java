/**
 * Right with --discipline: the main thread fills an object and hands it to a thread for good; others only read theirs.
 */
public class DisciplineHandOver {
    //! options: --discipline
    static class Task {
        int input;
        int[] cells = new int[3];
        int shared = 5;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Task task = new Task();
        task.input = 1;
        task.cells[0] = 1;
        Thread worker = new Thread(() -> {
            task.input++;
            task.cells[0]++;
            if (task.input + task.cells[0] + task.shared != 9) {
                throw new IllegalStateException();
            }
            System.out.println("ok");
        });
        Thread reader = new Thread(() -> {
            if (task.shared != 5) {
                throw new IllegalStateException();
            }
        });
        worker.start();
        reader.start();
        worker.join();
        reader.join();
    }
}
