import java.util.Timer;
import java.util.TimerTask;
import quiet.Order;

/** Wrong: the timer's thread counts, and main looks at the count without any synchronization. */
public class TimerCounter {
    static class Clock {
        int ticks;
    }

    public static void main(String[] arguments) throws Exception {
        Clock clock = new Clock();
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                clock.ticks++;
                Order.reach("ticked");
            }
        }, 0);
        Order.await("ticked");
        int ticks = clock.ticks; //! race observed TimerCounter$Clock.ticks
        timer.cancel();
        System.out.println(ticks == 1 ? "ok" : "wrong ticks");
    }
}
