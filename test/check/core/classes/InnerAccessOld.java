// release: 8
import net.jcip.annotations.GuardedBy;

/** An inner class, an anonymous class and a lambda that reach private fields through access methods. */
final class InnerAccessOld { // silent: the access methods have this line
    private final Object lock = new Object();
    @GuardedBy("this") private int count;
    @GuardedBy("lock") private int[] table = new int[4];
    @GuardedBy("lock") private String text = "";

    class Inner {
        int read() {
            synchronized (InnerAccessOld.this) {
                count += 2; // silent
                return count--; // silent
            }
        }

        int readWithout() {
            count += 2; // expect: guard-not-held
            return count--; // expect: guard-not-held
        }

        void arrays(int index) {
            table[index]++; // expect: guard-not-held
            text += index; // expect: guard-not-held
            synchronized (lock) {
                table[index]++; // silent
                text += index; // silent
            }
        }
    }

    Runnable anonymous() {
        return new Runnable() {
            @Override
            public void run() {
                count = 5; // expect: guard-not-held
                synchronized (InnerAccessOld.this) {
                    count = 6; // silent
                }
                Runnable nested = () -> {
                    count = 7; // expect: guard-not-held
                    synchronized (InnerAccessOld.this.lock) {
                        text = ""; // silent
                    }
                };
            }
        };
    }
}
