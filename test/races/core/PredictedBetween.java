import quiet.Order;
import quiet.Threads;

/**
 * Wrong: two threads write without a lock, and a lock that they take for something else happens to come between. The one
 * that did is named: not the one that only the first of them takes, nor the one that goes over when the first has already
 * written and the second has not, but long after the order was there.
 */
public class PredictedBetween {
    static final class Log {
        synchronized void add() {
        }
    }

    static final class Gate {
        synchronized void pass() {
        }
    }

    static final class Late {
        synchronized void pass() {
        }
    }

    static int number;

    public static void main(String[] arguments) {
        Log log = new Log();
        Gate gate = new Gate();
        Late late = new Late();
        number = 1;
        Threads.together(() -> {
            late.pass();
            gate.pass();
            log.add();
            number = 2; //! race predicted PredictedBetween.number between PredictedBetween$Gate
            gate.pass();
            Order.reach("written");
            Order.await("passed");
            late.pass();
            Order.reach("late");
        }, () -> {
            late.pass();
            Order.await("written");
            for (int i = 0; i < 100; i++) {
                gate.pass();
            }
            Order.reach("passed");
            Order.await("late");
            late.pass();
            number = 3; //! race predicted PredictedBetween.number between PredictedBetween$Gate
        });
        System.out.println("ok");
    }
}
