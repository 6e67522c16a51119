/** Right: a static synchronized method and a block on the class literal use the same lock. */
public class ClassLiteralLock {
    private static int total;

    static synchronized void add() {
        total++;
    }

    void addToo() {
        synchronized (ClassLiteralLock.class) {
            total++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                add();
            }
        });
        Thread second = new Thread(() -> {
            ClassLiteralLock object = new ClassLiteralLock();
            for (int i = 0; i < 100; i++) {
                object.addToo();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(total == 200 ? "ok" : "lost an addition");
    }
}
