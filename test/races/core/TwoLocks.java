/** Right: writes hold both locks, reads any one of them; each pair with a write has a lock in common. */
public class TwoLocks {
    static final Object LEFT = new Object();
    static final Object RIGHT = new Object();
    static int value;

    static void write() {
        synchronized (LEFT) {
            synchronized (RIGHT) {
                value++;
            }
        }
    }

    static int readLeft() {
        synchronized (LEFT) {
            return value;
        }
    }

    static int readRight() {
        synchronized (RIGHT) {
            return value;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                write();
                readLeft();
            }
        });
        Thread second = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                write();
                readRight();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(readLeft() == 100 ? "ok" : "lost a write");
    }
}
