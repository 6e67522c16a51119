import net.jcip.annotations.GuardedBy;
import java.util.concurrent.atomic.AtomicBoolean;

/** A lock of the program's own, whose effects a .locks file tells. */
final class OwnLock {
    static final class Spin {
        private final AtomicBoolean taken = new AtomicBoolean();

        void take() {
            while (!taken.compareAndSet(false, true)) {
                Thread.onSpinWait();
            }
        }

        boolean offer() {
            return taken.compareAndSet(false, true);
        }

        void drop() {
            taken.set(false);
        }
    }

    private final Spin spin = new Spin();
    @GuardedBy("spin") private int value;

    void right() {
        spin.take();
        try {
            value++; // silent
        } finally {
            spin.drop();
        }
        if (spin.offer()) {
            value++; // silent
            spin.drop();
        }
    }

    void wrong() {
        value++; // expect: guard-not-held
        spin.take();
        spin.drop();
        value++; // expect: guard-not-held
        if (!spin.offer()) {
            value++; // expect: guard-not-held
        }
    }

    void other(Spin mine) {
        mine.take();
        value++; // expect: guard-not-held
        mine.drop();
    }
}
