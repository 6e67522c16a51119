import quiet.Order;

/** Wrong: who starts the thread holds a lock that the thread wants, and wants one that the thread has. */
public class DeadlockStarter {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    static void down() {
        Order.await("started");
        synchronized (RIGHT) {
            synchronized (LEFT) { //! deadlock 2
            }
        }
    }

    static void start(Thread thread) {
        synchronized (LEFT) {
            thread.start();
            //! atomicity predicted DeadlockStarter.start
            synchronized (RIGHT) { //! deadlock 2
            }
        }
        Order.reach("started");
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(DeadlockStarter::down);
        start(thread);
        thread.join();
        System.out.println("ok");
    }
}
