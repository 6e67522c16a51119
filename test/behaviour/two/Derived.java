package two;

import one.Base;

public class Derived extends Base {
    int open = 100;
    private int hidden = 400;

    @Override
    protected int change(int by) {
        synchronized (lock) {
            guarded += by;
            array[1] += by;
            guardedShared += by;
            openShared--;
            Runnable inner = () -> guarded += by;
            inner.run();
            new Object() {
                void run() { guarded += array[0]++; }
            }.run();
            return super.change(by) + open + super.open++ + hidden;
        }
    }

    public int peek(Derived other) { return other.guarded + other.array.length + (int) Derived.guardedShared + other.hidden++; }

    public static class Revealing extends Base.Revealed {
        public String all() {
            visible++;
            visibleShared += 2;
            return text + visible + visibleShared + next();
        }
    }
}
