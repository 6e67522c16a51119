import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Semaphore;

/** Right: schedule() comes before run(); the tasks of one timer run one after the other on its thread. */
public class TimerSchedules {
    static final Semaphore done = new Semaphore(0);
    static int input;
    static int sum;

    static class Add extends TimerTask {
        @Override
        public void run() {
            sum += input;
        }
    }

    static class Finish extends TimerTask {
        @Override
        public void run() {
            done.release();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Timer timer = new Timer("timer");
        for (int i = 1; i <= 5; i++) {
            input = i;
            timer.schedule(new Add(), 0);
            timer.schedule(new Finish(), 1);
            done.acquire();
        }
        timer.cancel();
        if (sum != 15) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
