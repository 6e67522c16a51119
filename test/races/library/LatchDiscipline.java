//! options: --discipline
import java.util.concurrent.CountDownLatch;

/** No race, but no lock either: a latch alone orders the accesses, which --discipline is there to show. */
public class LatchDiscipline {
    static class Job {
        final CountDownLatch done = new CountDownLatch(1);
        int result;
    }

    public static void main(String[] arguments) throws Exception {
        Job job = new Job();
        job.result = 1;
        new Thread(() -> {
            job.result = 42;
            job.done.countDown();
        }).start();
        job.done.await();
        int result = job.result; //! race discipline LatchDiscipline$Job.result
        System.out.println(result == 42 ? "ok" : "wrong result");
    }
}
