import quiet.Threads;

/** Right: one volatile access in each method. */
public class VolatileOnce {
    private static volatile boolean stopped;

    public static boolean isStopped() {
        return stopped;
    }

    public static void stop() {
        stopped = true;
    }

    public static void main(String[] arguments) {
        Threads.together(VolatileOnce::isStopped, VolatileOnce::stop);
        System.out.println(isStopped() ? "ok" : "lost");
    }
}
