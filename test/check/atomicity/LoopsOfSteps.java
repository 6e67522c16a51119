/** A loop of movers is a mover, a loop of steps is not one step. */
final class LoopsOfSteps {
    private int count; /*# guarded_by this */
    private int[] cells = new int[8]; /*# guarded_by this */

    synchronized void increment() /*# atomic */ {
        count++; // silent
    }

    void many(int times) /*# atomic */ {
        for (int i = 0; i < times; i++) { // expect: not-atomic
            increment(); // path
        }
    }

    synchronized void manyLocked(int times) /*# atomic */ {
        for (int i = 0; i < times; i++) { // silent
            increment();
        }
    }

    synchronized int sum() /*# atomic */ {
        int sum = 0; // silent
        for (int cell : cells) {
            sum += cell;
        }
        return sum;
    }

    void locksInside(int times) /*# atomic */ {
        while (times-- > 0) { // expect: not-atomic
            synchronized (this) {
                count++;
            }
        }
    }

    void locksOutside(int times) /*# atomic */ {
        synchronized (this) { // silent
            while (times-- > 0) {
                count++;
            }
        }
    }

    void afterLoop(int times) /*# atomic */ {
        int power = 1; // silent: the loop touches nothing that is shared
        while (times-- > 0) {
            power *= 2;
        }
        add(power);
    }

    synchronized void add(int amount) /*# atomic */ {
        count += amount; // silent
    }

    static int power(int times) /*# atomicity const */ {
        int power = 1; // silent
        while (times-- > 0) {
            power *= 2;
        }
        return power;
    }

    void choose(int which) /*# atomic */ {
        switch (which) { // silent
            case 0:
                increment();
                break;
            case 1:
                add(1);
                break;
            default:
                sum();
        }
    }

    void fallThrough(int which) /*# atomic */ {
        switch (which) { // expect: not-atomic
            case 0:
                increment();
            default:
                add(1);
        }
    }
}
