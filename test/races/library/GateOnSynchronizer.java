import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** Right: a one-shot gate in the shared mode of AbstractQueuedSynchronizer. */
public class GateOnSynchronizer {
    static class Gate {
        private static class Sync extends AbstractQueuedSynchronizer {
            @Override
            protected int tryAcquireShared(int ignored) {
                return getState() != 0 ? 1 : -1;
            }

            @Override
            protected boolean tryReleaseShared(int ignored) {
                setState(1);
                return true;
            }
        }

        private final Sync sync = new Sync();

        void open() {
            sync.releaseShared(1);
        }

        void pass() {
            sync.acquireShared(1);
        }
    }

    static final Gate gate = new Gate();
    static int plan = 1;

    public static void main(String[] arguments) throws Exception {
        Runnable reader = () -> {
            gate.pass();
            if (plan != 42) {
                throw new AssertionError(plan);
            }
        };
        Thread first = new Thread(reader);
        Thread second = new Thread(reader);
        Thread planner = new Thread(() -> {
            plan = 42;
            gate.open();
        });
        first.start();
        second.start();
        planner.start();
        first.join();
        second.join();
        planner.join();
        System.out.println("ok");
    }
}
