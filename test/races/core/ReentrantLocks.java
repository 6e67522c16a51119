/** Right: a lock that is entered again stays held when the inner block ends. */
public class ReentrantLocks {
    private int value;

    synchronized void add() {
        value++;
    }

    synchronized void addTwice() {
        add();
        value--; // still locked
        synchronized (this) {
            synchronized (this) {
                value++;
            }
            value++;
        }
        add();
        value--;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ReentrantLocks object = new ReentrantLocks();
        Runnable work = () -> {
            for (int i = 0; i < 50; i++) {
                object.addTwice();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        synchronized (object) {
            System.out.println(object.value == 200 ? "ok" : "lost an addition");
        }
    }
}
