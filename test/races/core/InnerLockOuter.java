/** Right: the twin of InnerLock; the inner class locks the outer object, by name and through a local variable. */
public class InnerLockOuter {
    private int value;

    synchronized void add() {
        value++;
    }

    class Inner {
        void add() {
            synchronized (InnerLockOuter.this) {
                value++;
            }
            Object same = InnerLockOuter.this;
            synchronized (same) {
                same = new Object(); // what is released is what was locked
                value++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        InnerLockOuter outer = new InnerLockOuter();
        Thread first = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                outer.add();
            }
        });
        Thread second = new Thread(() -> {
            Inner inner = outer.new Inner();
            for (int i = 0; i < 50; i++) {
                inner.add();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        synchronized (outer) {
            System.out.println(outer.value == 150 ? "ok" : "lost an addition");
        }
    }
}
