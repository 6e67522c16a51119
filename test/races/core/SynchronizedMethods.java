/** Right: synchronized methods and synchronized blocks on the same object exclude each other. */
public class SynchronizedMethods {
    private int value;
    private long changes;

    synchronized void set(int value) {
        this.value = value;
        changes++;
    }

    int get() {
        synchronized (this) {
            return value;
        }
    }

    static long changes(SynchronizedMethods of) {
        synchronized (of) {
            return of.changes;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        SynchronizedMethods object = new SynchronizedMethods();
        Thread first = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                object.set(i);
            }
        });
        Thread second = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                object.set(object.get() + (int) changes(object));
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(changes(object) == 200 ? "ok" : "lost a change");
    }
}
