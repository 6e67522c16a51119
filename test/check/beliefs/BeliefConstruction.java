import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;

/** Nobody else has the object yet, or any more. */
class BeliefConstruction {
    static class Made implements Cloneable, Serializable {
        private int value;
        private int[] cells;

        Made() {
            value = 1; // silent
            init();
        }

        Made(Made from) {
            value = from.value; // expect: guard-not-held; of the other one
        }

        private void init() {
            value = 2; // silent
            cells = new int[4]; // silent
        }

        synchronized void set(int to) {
            value = to;
            cells = new int[to];
        }

        synchronized void clear() {
            value = 0;
            cells = null;
        }

        synchronized int get() {
            return value + cells.length;
        }

        static Made of(int value) {
            Made made = new Made();
            made.value = value; // silent
            return made;
        }

        static Made ofTwo(int value) {
            Made made = new Made();
            made.prepare(value);
            made.value++; // silent: prepare told nobody
            return made;
        }

        private void prepare(int to) {
            value = to; // silent: objects that are new
        }

        static Made ofThree() {
            Made made = of(3);
            made.value = 4; // silent: `of` makes it
            return made;
        }

        @Override
        public synchronized Made clone() throws CloneNotSupportedException {
            Made copy = (Made) super.clone();
            copy.cells = cells.clone(); // silent
            return copy;
        }

        private void readObject(ObjectInputStream in) throws IOException {
            value = in.readInt(); // silent
            cells = new int[value]; // silent
        }

        @Override
        @Deprecated
        protected void finalize() {
            cells = null; // silent
        }

        int bare() {
            return value; // expect: guard-not-held
        }

        int[] cells() {
            return cells; // expect: guard-not-held
        }
    }

    /** What has been given away is no longer one's own. */
    static class Shared {
        static Shared last;
        private int value;

        synchronized void one() {
            value = 1;
        }

        synchronized void two() {
            value = 2;
        }

        synchronized int get() {
            return value;
        }

        static void publish() {
            Shared made = new Shared();
            made.value = 3; // silent
            last = made;
            made.value = 4; // expect: guard-not-held
        }
    }

    static class Worker extends Thread {
        private int done;

        synchronized void finish() {
            done++;
        }

        synchronized void undo() {
            done--;
        }

        synchronized boolean isDone() {
            return done > 0;
        }

        @Override
        public void run() {
            finish();
        }

        static Worker begin() {
            Worker worker = new Worker();
            worker.done = 1; // silent
            worker.start();
            worker.done = 2; // expect: guard-not-held
            return worker;
        }
    }

    /** Fields that only the constructor writes. */
    static class Fixed {
        private int size;
        private int used;

        Fixed(int size) {
            this.size = size;
        }

        synchronized int room() {
            return size - used;
        }

        synchronized void use() {
            if (used < size) {
                used++;
            }
        }

        int size() {
            return size; // silent
        }

        int used() {
            return used; // expect: guard-not-held
        }
    }
}
