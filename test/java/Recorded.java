import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs that are recorded:
 *
 *     Recorded killed WAY   a thread makes events for ever, while main stands still: sleeps, waits, parks, reads, joins, is
 *                           blocked
 *     Recorded exits        main exits with status 3, while other threads have ended, are parked, and go on
 */
public class Recorded {
    static final int PARKED = 777;
    static final int ENDED = 555;
    static final int OWN = 333;

    static final Object lock = new Object();
    static final Object other = new Object();
    static int guarded;
    static int unguarded;
    static int parked;
    static int ended;
    static int own;
    static volatile boolean there;

    /** Not as fast as it can: somebody has to read all that. */
    static void work() {
        for (int i = 1; ; i++) {
            synchronized (lock) {
                guarded++;
            }
            unguarded++;
            if (i % 500 == 0) {
                LockSupport.parkNanos(2_000_000);
            }
        }
    }

    static Thread start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void standStill(String way, Thread worker) throws InterruptedException, IOException {
        switch (way) {
            case "sleeps" -> Thread.sleep(1_000_000);
            case "parks" -> LockSupport.park();
            case "reads" -> System.in.read();
            case "joins" -> worker.join();
            case "waits" -> {
                synchronized (other) {
                    other.wait();
                }
            }
            case "blocked" -> {
                start(Recorded::keep, "keeper");
                while (!there) {
                    Thread.onSpinWait();
                }
                synchronized (other) {
                    own++;
                }
            }
            default -> throw new IllegalArgumentException(way);
        }
    }

    static void keep() {
        synchronized (other) {
            there = true;
            LockSupport.park();
        }
    }

    static void park() {
        for (int i = 0; i < PARKED; i++) {
            parked = i;
        }
        there = true;
        for (;;) {
            LockSupport.park();
        }
    }

    static void end() {
        for (int i = 0; i < ENDED; i++) {
            ended = i;
        }
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        if (arguments[0].equals("killed")) {
            Thread worker = start(Recorded::work, "worker");
            unguarded = 1;
            standStill(arguments[1], worker);
            return;
        }
        start(Recorded::work, "worker");
        unguarded = 1;
        start(Recorded::end, "ended").join();
        start(Recorded::park, "parked");
        while (!there) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < OWN; i++) {
            own = i;
        }
        System.exit(3);
    }
}
