import quiet.Order;
import quiet.Threads;

/**
 * Right: a thread is woken only if one sleeps. Here nobody does, so nothing is ever notified; it is handed over all
 * the same.
 */
public class HandOverConditionalNotify {
    static class Unit {
        int state;
    }

    private Unit unit;
    private int sleepers;

    private synchronized void add(Unit next) {
        while (unit != null) {
            sleep();
        }
        unit = next;
        if (sleepers > 0) {
            notify();
        }
    }

    Unit remove() {
        Unit next;
        synchronized (this) {
            while (unit == null) {
                sleepers++;
                try {
                    wait(250);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                sleepers--;
            }
            next = unit;
            unit = null;
            if (sleepers > 0) {
                notify();
            }
        }
        return next;
    }

    private void sleep() {
        sleepers++;
        try {
            wait(250);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        sleepers--;
    }

    public static void main(String[] arguments) {
        HandOverConditionalNotify manager = new HandOverConditionalNotify();
        Unit parsed = new Unit();
        parsed.state = 1;
        Threads.together(() -> {
            parsed.state = 2;
            manager.add(parsed);
            Order.reach("added");
        }, () -> {
            Order.await("added");
            manager.remove().state++;
        });
        System.out.println(parsed.state == 3 ? "ok" : "wrong state");
    }
}
