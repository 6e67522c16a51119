import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import quiet.Order;

/** Wrong: the updater makes its own field atomic, not the one beside it. */
public class AtomicFieldUpdaterOtherField {
    static class Work {
        static final AtomicIntegerFieldUpdater<Work> STEPS = AtomicIntegerFieldUpdater.newUpdater(Work.class, "steps");

        volatile int steps;
        int last;
    }

    public static void main(String[] arguments) throws Exception {
        Work work = new Work();
        Thread first = new Thread(() -> {
            int mine = Work.STEPS.incrementAndGet(work);
            Order.await("second stepped");
            work.last = mine;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            int mine = Work.STEPS.incrementAndGet(work);
            Order.reach("second stepped");
            Order.await("first wrote");
            work.last = mine; //! race observed AtomicFieldUpdaterOtherField$Work.last
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
