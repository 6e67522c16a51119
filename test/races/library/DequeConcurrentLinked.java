import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Right: two threads pass tasks through a shared deque; each task belongs to the one who took it out. */
public class DequeConcurrentLinked {
    static class Task {
        int steps;
    }

    static final Deque<Task> deque = new ConcurrentLinkedDeque<>();

    static void work() {
        for (int i = 0; i < 300;) {
            Task task = deque.pollLast();
            if (task == null) {
                continue;
            }
            task.steps++;
            if (i % 2 == 0) {
                deque.addLast(task);
            } else {
                deque.addFirst(task);
            }
            i++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 4; i++) {
            deque.push(new Task());
        }
        Thread first = new Thread(DequeConcurrentLinked::work);
        Thread second = new Thread(DequeConcurrentLinked::work);
        first.start();
        second.start();
        first.join();
        second.join();
        int steps = 0;
        for (Task task : deque) {
            steps += task.steps;
        }
        if (steps != 600) {
            throw new AssertionError(steps);
        }
        System.out.println("ok");
    }
}
