/** The same as BeliefProgram as a library: users may call what is public. */
public class BeliefLibrary {
    /** Not in their reach: a class of the package. */
    static class State {
        private int value;
        private int turns;

        public void work() {
            synchronized (this) {
                value = 1;
                step();
            }
        }

        public void rest() {
            synchronized (this) {
                value = 0;
                step();
            }
        }

        public void step() {
            value++; // silent: nobody calls it without, as far as we see
            turns++; // silent
        }

        public int peek() {
            return value; // expect: guard-not-held
        }
    }

    /** In their reach. */
    public static class Open {
        private int value;

        public synchronized void work() {
            value = 1;
            step();
        }

        public synchronized void rest() {
            value = 0;
            step();
        }

        public synchronized int get() {
            return value;
        }

        public synchronized void clear() {
            value = 0;
        }

        public void step() {
            value++; // expect: guard-not-held
        }
    }
}
