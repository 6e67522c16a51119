import java.util.concurrent.ConcurrentLinkedQueue;
import quiet.Threads;

/** Right: poll() says by itself whether there was something. */
public class QueuePoll {
    private static final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();

    public static int next() {
        String text = queue.poll();
        return text == null ? 0 : text.length();
    }

    public static void main(String[] arguments) {
        queue.add("first");
        queue.add("second");
        Threads.together(QueuePoll::next, QueuePoll::next, QueuePoll::next);
        System.out.println(queue.isEmpty() ? "ok" : "left over");
    }
}
