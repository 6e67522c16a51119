import java.util.Timer;
import java.util.TimerTask;
import quiet.Order;

/** Wrong: main changes the task's input after it was scheduled. */
public class TimerWrittenAfterSchedule {
    static int input;

    public static void main(String[] arguments) throws Exception {
        Timer timer = new Timer();
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                Order.await("written");
                if (input != 1) { //! race observed TimerWrittenAfterSchedule.input
                    throw new AssertionError();
                }
                Order.reach("read");
            }
        }, 0);
        input = 1;
        Order.reach("written");
        Order.await("read");
        timer.cancel();
        System.out.println("ok");
    }
}
