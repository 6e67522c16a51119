import quiet.Threads;

/** Wrong with all refinements: the locks look alike in the source, but belong to two objects. */
public class ReentrantOtherObject {
    static class Counter {
        private int value;

        public synchronized int get() {
            return value; //! atomicity predicted ReentrantOtherObject$Counter.copyTwice
        }

        public synchronized void set(int to) {
            value = to;
        }

        public synchronized void copyTwice(Counter other) {
            other.set(value);
            other.set(other.get() + value);
        }
    }

    public static void main(String[] arguments) {
        Counter left = new Counter();
        Counter right = new Counter();
        Threads.inTurn(() -> left.copyTwice(right), () -> right.set(1));
        System.out.println(right.get() == 1 ? "ok" : "lost");
    }
}
