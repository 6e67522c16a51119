import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Right: updaters make volatile fields atomic; they publish what was written before. */
public class AtomicFieldUpdaters {
    static class Work {
        static final AtomicIntegerFieldUpdater<Work> OWNER = AtomicIntegerFieldUpdater.newUpdater(Work.class, "owner");
        static final AtomicLongFieldUpdater<Work> TOTAL = AtomicLongFieldUpdater.newUpdater(Work.class, "total");
        static final AtomicReferenceFieldUpdater<Work, String> NAME =
                AtomicReferenceFieldUpdater.newUpdater(Work.class, String.class, "name");

        volatile int owner;
        volatile long total;
        volatile String name;
        int guarded;
        int named;

        void step() {
            while (!OWNER.compareAndSet(this, 0, 1)) {
                Thread.yield();
            }
            guarded++;
            OWNER.set(this, 0);
            TOTAL.addAndGet(this, 2);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Work work = new Work();
        work.guarded = 1;
        Runnable steps = () -> {
            for (int i = 0; i < 200; i++) {
                work.step();
            }
        };
        Thread first = new Thread(() -> {
            steps.run();
            work.named = 5;
            Work.NAME.set(work, "done");
        });
        Thread second = new Thread(() -> {
            steps.run();
            while (work.name == null) {
                Thread.yield();
            }
            if (work.named != 5) {
                throw new AssertionError();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        if (work.guarded != 401 || work.total != 800) {
            throw new AssertionError(work.guarded);
        }
        System.out.println("ok");
    }
}
