/**
 * Right: inner classes get their outer object and captured values before super(), which calls a method that uses them.
 */
public class CapturedBeforeSuper {
    private int base = 10;

    abstract static class Step {
        int first;
        int calls;

        Step() {
            first = apply(1);
        }

        abstract int apply(int value);
    }

    Step step(int factor) {
        return new Step() {
            private int own = 1;

            @Override
            int apply(int value) {
                calls++;
                return base + value * factor + own; // own is 0 during super()
            }
        };
    }

    public static void main(String[] arguments) throws InterruptedException {
        CapturedBeforeSuper outer = new CapturedBeforeSuper();
        Step step = outer.step(2);
        Thread thread = new Thread(() -> step.first += step.apply(3));
        thread.start();
        thread.join();
        System.out.println(step.first == 12 + 17 && step.calls == 2 ? "ok" : "wrong value " + step.first);
    }
}
