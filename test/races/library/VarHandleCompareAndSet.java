import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Right: a lock of one's own and a counter by the atomic operations of a VarHandle. */
public class VarHandleCompareAndSet {
    static class Counter {
        private static final VarHandle TAKEN;
        private static final VarHandle CALLS;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                TAKEN = lookup.findVarHandle(Counter.class, "taken", int.class);
                CALLS = lookup.findVarHandle(Counter.class, "calls", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private volatile int taken;
        private long calls;
        int count;

        void increment() {
            while (!TAKEN.compareAndSet(this, 0, 1)) {
                Thread.yield();
            }
            count++;
            TAKEN.setRelease(this, 0);
            CALLS.getAndAdd(this, 1L);
        }

        long calls() {
            return (long) CALLS.getVolatile(this);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        counter.count = 1;
        Runnable work = () -> {
            for (int i = 0; i < 300; i++) {
                counter.increment();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (counter.count != 601 || counter.calls() != 600) {
            throw new AssertionError(counter.count);
        }
        System.out.println("ok");
    }
}
