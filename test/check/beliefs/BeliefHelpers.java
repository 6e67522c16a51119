import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.List;

/** What callers hold counts, in as far as they are known. */
class BeliefHelpers {
    /** A private helper, always called with the lock. */
    static class Always {
        private int count;
        private int peak;

        synchronized void add() {
            count++;
            note();
        }

        synchronized void addMany(int by) {
            count += by;
            note();
        }

        private void note() {
            if (count > peak) { // silent
                peak = count; // silent
            }
            deeper();
        }

        private void deeper() {
            if (peak > 10) { // silent
                peak = 10; // silent
            }
        }

        int peak() {
            return peak; // expect: guard-not-held
        }
    }

    /** A private helper that one caller calls without. */
    static class Sometimes {
        private int count;
        private int sum;

        synchronized void one() {
            count = 1;
            sum += count;
            touch();
        }

        synchronized void two() {
            count = 2;
            sum += count;
            touch();
        }

        synchronized int three() {
            return count + sum;
        }

        void forgotten() {
            touch();
        }

        private void touch() {
            count++; // expect: guard-not-held
        }
    }

    /** Protected: others may call it, but all whom we see hold the lock. */
    public static class Base {
        private int state;

        public synchronized void on() {
            state = 1;
            changed();
        }

        public synchronized void off() {
            state = 0;
            changed();
        }

        protected void changed() {
            state += 2; // silent
        }

        public int state() {
            return state; // expect: guard-not-held
        }
    }

    /** A public method of a public class: users will call it without. */
    public static class Api {
        private int state;

        public synchronized void on() {
            state = 1;
        }

        public synchronized void off() {
            state = 0;
            check();
        }

        public synchronized boolean isOn() {
            return state == 1;
        }

        public void check() {
            if (state > 1) { // expect: guard-not-held
                throw new IllegalStateException();
            }
        }
    }

    /** Done for the caller, while he waits. */
    @SuppressWarnings("removal")
    static class Privileged implements PrivilegedAction<Void> {
        private int action;
        private String result;

        synchronized String one() {
            action = 1;
            AccessController.doPrivileged(this);
            return result;
        }

        synchronized String two() {
            action = 2;
            AccessController.doPrivileged(this);
            return result;
        }

        @Override
        public Void run() {
            result = "done " + action; // silent
            return null;
        }

        synchronized String three() {
            action = 3;
            result = "";
            return AccessController.doPrivileged(new PrivilegedAction<String>() {
                @Override
                public String run() {
                    return result + action; // silent
                }
            });
        }

        int last() {
            return action; // expect: guard-not-held
        }
    }

    /** Functions that are called at once, and those that are not. */
    static class Lambdas {
        private int sum;

        synchronized void addAll(List<Integer> values) {
            values.forEach(value -> sum += value); // silent
        }

        synchronized void add(int value) {
            sum += value;
        }

        synchronized void clear() {
            sum = 0;
        }

        synchronized Runnable later() {
            return () -> sum = -1; // expect: guard-not-held
        }
    }

    /** Calls from a constructor are no reason for the others. */
    static class Begun {
        private int size;

        Begun() {
            grow();
        }

        synchronized void more() {
            size++;
            grow();
        }

        synchronized int size() {
            return size;
        }

        private void grow() {
            size += 8; // silent
        }

        int bare() {
            return size; // expect: guard-not-held
        }
    }

    /** Static helpers with the object as an argument. */
    static class Argument {
        private int value;

        synchronized void one() {
            value = 1;
            touch(this);
        }

        synchronized void two() {
            value = 2;
            touch(this);
        }

        private static void touch(Argument it) {
            it.value++; // silent
        }

        static int peek(Argument it) {
            return it.value; // expect: guard-not-held
        }
    }

    /** Recursion. */
    static class Recursive {
        private int depth;

        synchronized void enter() {
            depth = 0;
            down(3);
        }

        synchronized void again() {
            depth = 0;
            down(4);
        }

        private void down(int levels) {
            depth++; // silent
            if (levels > 0) {
                down(levels - 1);
            }
        }

        void wild() {
            depth--; // expect: guard-not-held
        }
    }
}
