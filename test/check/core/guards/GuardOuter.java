import net.jcip.annotations.GuardedBy;
import java.util.List;

/** Outer.this and Outer.this.lock, from inside and from outside. */
final class GuardOuter {
    private final Object lock = new Object();
    @GuardedBy("this") private int outerCount;

    class Inner {
        @GuardedBy("GuardOuter.this") private int byOuter;
        @GuardedBy("GuardOuter.this.lock") private int byLock;
        @GuardedBy("this") private int byInner;

        void right() {
            synchronized (GuardOuter.this) {
                byOuter++; // silent
                outerCount++; // silent
            }
            synchronized (lock) {
                byLock++; // silent: lock is GuardOuter.this.lock
            }
            synchronized (GuardOuter.this.lock) {
                byLock++; // silent
            }
        }

        void wrong() {
            byOuter++; // expect: guard-not-held
            byLock++; // expect: guard-not-held
            byInner++; // expect: guard-not-held
            outerCount++; // expect: guard-not-held
        }

        synchronized void innerLock() {
            byInner++; // silent
            byOuter++; // expect: guard-not-held; Inner.this is held
            outerCount++; // expect: guard-not-held
        }

        void copy(Inner other) {
            synchronized (GuardOuter.this) {
                byOuter = other.byOuter; // expect: guard-not-held; another outer object, for all we know
            }
        }

        class Innermost {
            @GuardedBy("GuardOuter.this") private int byOutermost;
            @GuardedBy("Inner.this") private int byMiddle;

            void right() {
                synchronized (GuardOuter.this) {
                    byOutermost++; // silent
                    outerCount++; // silent
                }
                synchronized (Inner.this) {
                    byMiddle++; // silent
                    byInner++; // silent
                }
            }

            void wrong() {
                synchronized (this) {
                    byOutermost++; // expect: guard-not-held
                    byMiddle++; // expect: guard-not-held
                }
                synchronized (Inner.this) {
                    byOutermost++; // expect: guard-not-held
                    byMiddle++; // silent
                }
            }
        }
    }

    void known(List<Inner> registry) {
        Inner inner = new Inner();
        inner.byOuter = 1; // silent: nobody else knows it yet
        registry.add(inner);
        inner.byOuter = 2; // expect: guard-not-held
        synchronized (this) {
            inner.byOuter = 3; // silent: it was made with this object as its outer one
            inner.byLock = 3; // expect: guard-not-held
        }
        synchronized (lock) {
            inner.byLock = 4; // silent
        }
    }
}
