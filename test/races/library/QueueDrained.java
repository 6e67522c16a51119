import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Right: the consumer takes whatever is there with drainTo() into a list of its own. */
public class QueueDrained {
    static class Event {
        int weight;
    }

    static final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();

    static void produce() {
        for (int i = 0; i < 50; i++) {
            Event event = new Event();
            event.weight = 2;
            queue.add(event);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(QueueDrained::produce);
        Thread second = new Thread(QueueDrained::produce);
        first.start();
        second.start();
        List<Event> batch = new ArrayList<>();
        int sum = 0;
        for (int events = 0; events < 100;) {
            batch.add(queue.take());
            queue.drainTo(batch);
            events += batch.size();
            for (Event event : batch) {
                sum += event.weight;
                event.weight = 0;
            }
            batch.clear();
        }
        first.join();
        second.join();
        if (sum != 200) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
