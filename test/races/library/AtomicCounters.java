import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Right: counters of the atomic classes need no lock. */
public class AtomicCounters {
    static final AtomicInteger number = new AtomicInteger();
    static final AtomicLong total = new AtomicLong();
    static final LongAdder adder = new LongAdder();
    static final DoubleAdder doubles = new DoubleAdder();
    static final LongAccumulator maximum = new LongAccumulator(Math::max, 0);

    static void work() {
        for (int i = 0; i < 500; i++) {
            number.incrementAndGet();
            total.addAndGet(2);
            total.accumulateAndGet(1, Long::sum);
            adder.increment();
            doubles.add(0.5);
            maximum.accumulate(i);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(AtomicCounters::work);
        Thread second = new Thread(AtomicCounters::work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (number.get() != 1000 || total.get() != 3000 || adder.sum() != 1000 || doubles.sum() != 500
                || maximum.get() != 499) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
