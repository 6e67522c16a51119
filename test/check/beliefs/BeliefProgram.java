// options: --program
/** A whole program: only what it calls itself is called. */
public class BeliefProgram {
    private static final State STATE = new State();

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> STATE.work());
        one.start();
        STATE.work();
        STATE.rest();
        STATE.skip();
        System.out.println(STATE.peek());
        one.join();
    }

    /** Public methods that only its own code calls, with the lock. */
    public static class State {
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

        public synchronized void skip() {
            turns += 2;
        }

        public void step() {
            value++; // silent: in a program all callers are known
            turns++; // silent
        }

        public int peek() {
            int both = value; // expect: guard-not-held
            both += turns; // expect: guard-not-held
            return both;
        }
    }
}
