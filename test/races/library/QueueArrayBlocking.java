import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Right: main fills jobs and puts them, workers take and change them, and give them back through another queue. */
public class QueueArrayBlocking {
    static class Job {
        int input;
        int output;
    }

    static final BlockingQueue<Job> todo = new ArrayBlockingQueue<>(4);
    static final BlockingQueue<Job> done = new ArrayBlockingQueue<>(100);

    static void work() {
        try {
            for (Job job = todo.take(); job.input >= 0; job = todo.take()) {
                job.output = job.input * 2;
                done.put(job);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(QueueArrayBlocking::work);
        Thread second = new Thread(QueueArrayBlocking::work);
        first.start();
        second.start();
        for (int i = 0; i < 100; i++) {
            Job job = new Job();
            job.input = i;
            todo.put(job);
        }
        int sum = 0;
        for (int i = 0; i < 100; i++) {
            Job job = done.take();
            job.input = 0;
            sum += job.output;
        }
        for (int i = 0; i < 2; i++) {
            Job end = new Job();
            end.input = -1;
            todo.put(end);
        }
        first.join();
        second.join();
        if (sum != 9900) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
