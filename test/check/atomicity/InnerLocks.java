/** Locks of the object around this one, and methods that are inherited or of an interface. */
final class InnerLocks {
    private int count; /*# guarded_by this */

    final class Cursor {
        private int position; /*# guarded_by InnerLocks.this */

        void advance() /*# atomic */ {
            synchronized (InnerLocks.this) { // silent
                position++;
                count++;
            }
        }

        void advanceTwice() /*# atomic */ {
            advance(); // expect: not-atomic
            advance();
        }

        void advanceLocked() /*# atomic */ {
            synchronized (InnerLocks.this) { // silent
                advance();
                advance();
            }
        }

        int position() /*# requires InnerLocks.this */ /*# atomicity InnerLocks.this ? mover */ {
            return position; // silent
        }
    }

    synchronized void increment() /*# atomic */ {
        count++; // silent
    }

    interface Resettable {
        void reset();

        default void resetTwice() /*# atomic */ {
            reset(); // expect: not-atomic
            reset();
        }
    }

    static class Base implements Resettable {
        int value; /*# guarded_by this */

        @Override
        public synchronized void reset() /*# atomic */ {
            value = 0; // silent
        }
    }

    static final class Derived extends Base {
        private int more; /*# guarded_by this */

        @Override
        public synchronized void reset() {
            super.reset(); // silent
            more = 0;
        }

        void both() /*# atomic */ {
            super.reset(); // expect: not-atomic
            reset();
        }
    }
}
