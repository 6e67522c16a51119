//! needs: 21

/** Right: start() comes before what a virtual thread does, and that before join(). */
public class VirtualStartJoin {
    static class Job {
        int input;
        int output;
    }

    public static void main(String[] arguments) throws Exception {
        Job[] jobs = new Job[20];
        Thread[] threads = new Thread[jobs.length];
        for (int i = 0; i < jobs.length; i++) {
            Job job = new Job();
            job.input = i;
            jobs[i] = job;
            threads[i] = Thread.ofVirtual().name("job", i).unstarted(() -> job.output = job.input * 2);
            threads[i].start();
        }
        int sum = 0;
        for (int i = 0; i < jobs.length; i++) {
            threads[i].join();
            sum += jobs[i].output;
            jobs[i].input = 0;
        }
        if (sum != 380) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
