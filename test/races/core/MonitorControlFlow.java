/** Right: blocks are left by break, continue, return and finally; every access is inside. */
public class MonitorControlFlow {
    static final Object OUTER = new Object();
    static final Object INNER = new Object();
    static int value;
    static int inner;

    static int work(int rounds) {
        outer:
        for (int i = 0; i < rounds; i++) {
            synchronized (OUTER) {
                value++;
                for (int j = 0; j < 3; j++) {
                    synchronized (INNER) {
                        inner++;
                        if (j == i % 3) {
                            continue outer;
                        }
                        if (j == 2) {
                            break outer;
                        }
                    }
                    value++;
                }
            }
        }
        synchronized (OUTER) {
            try {
                if (value < 0) {
                    return -1;
                }
                synchronized (INNER) {
                    return inner;
                }
            } finally {
                value++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> work(60));
        Thread second = new Thread(() -> work(60));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(inner == 240 && value == 242 ? "ok" : "wrong count " + inner + " " + value);
    }
}
