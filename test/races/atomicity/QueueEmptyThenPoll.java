import java.util.concurrent.ConcurrentLinkedQueue;
import quiet.Threads;

/** Wrong: the queue can be empty when poll() comes, although it was not when it was asked. */
public class QueueEmptyThenPoll {
    private static final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();

    public static int next() {
        if (queue.isEmpty()) {
            return 0;
        }
        return queue.poll().length(); //! atomicity predicted QueueEmptyThenPoll.next
    }

    public static void main(String[] arguments) {
        queue.add("first");
        queue.add("second");
        Threads.inTurn(QueueEmptyThenPoll::next, QueueEmptyThenPoll::next);
        System.out.println(queue.isEmpty() ? "ok" : "left over");
    }
}
