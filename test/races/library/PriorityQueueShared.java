import java.util.PriorityQueue;
import quiet.Order;

/** Wrong: a PriorityQueue hands jobs from one thread to another, without a lock. */
public class PriorityQueueShared {
    static class Registry {
        final PriorityQueue<Integer> jobs = new PriorityQueue<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.jobs.offer(1);
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.jobs.poll(); //! race observed PriorityQueueShared$Registry.jobs
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
