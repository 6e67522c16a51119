/** Right: each thread holds ten locks, of which they have one in common. */
public class ManyLocks {
    static final Object COMMON = new Object();
    static int value;

    /** Takes the locks from `next` on, and then adds. */
    static void addWith(Object[] locks, int next) {
        if (next == locks.length) {
            value++;
            return;
        }
        synchronized (locks[next]) {
            addWith(locks, next + 1);
        }
    }

    static Object[] locks(int place) {
        Object[] locks = new Object[10];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = i == place ? COMMON : new Object();
        }
        return locks;
    }

    static Thread adding(int place) {
        return new Thread(() -> {
            Object[] locks = locks(place);
            for (int i = 0; i < 50; i++) {
                addWith(locks, 0);
            }
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {adding(0), adding(4), adding(9)};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(value == 150 ? "ok" : "lost an addition");
    }
}
