package quiet;

/**
 * Runs bodies in threads of their own, all started by the caller before it waits for any, and joins them: for the
 * tool, nothing but what the bodies do orders them. An exception in one of them is thrown to the caller.
 */
public final class Threads {
    private static int groups;
    private static volatile Throwable failure;

    private Threads() {
    }

    /** At the same time. */
    public static void together(Runnable... bodies) {
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            Runnable body = bodies[i];
            threads[i] = new Thread(() -> attempt(body), "thread " + (i + 1));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            join(thread);
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    /** One after the other, in this order, of which the tool does not know. */
    public static void inTurn(Runnable... bodies) {
        String group = "group " + groups++ + " thread ";
        Runnable[] turns = new Runnable[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            int turn = i;
            turns[i] = () -> {
                if (turn > 0) {
                    Order.await(group + (turn - 1));
                }
                try {
                    bodies[turn].run();
                } finally {
                    Order.reach(group + turn);
                }
            };
        }
        together(turns);
    }

    private static void attempt(Runnable body) {
        try {
            body.run();
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
