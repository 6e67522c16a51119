import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import quiet.Order;

/** Wrong: a periodic task counts, and main looks at the count while it goes on. */
public class ScheduledRead {
    static class Clock {
        int ticks;

        void tick() {
            if (Order.reached("ticked")) {
                return;
            }
            ticks++;
            Order.reach("ticked");
        }
    }

    public static void main(String[] arguments) throws Exception {
        Clock clock = new Clock();
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
        executor.scheduleAtFixedRate(clock::tick, 0, 1, TimeUnit.MILLISECONDS);
        Order.await("ticked");
        int ticks = clock.ticks; //! race observed ScheduledRead$Clock.ticks
        executor.shutdownNow();
        System.out.println(ticks == 1 ? "ok" : "wrong ticks");
    }
}
