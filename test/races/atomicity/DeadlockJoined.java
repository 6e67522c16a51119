/** Right: the one thread has ended before the other begins. */
public class DeadlockJoined {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        both(RIGHT, LEFT);
        Thread first = new Thread(() -> both(LEFT, RIGHT));
        first.start();
        first.join();
        Thread second = new Thread(() -> both(RIGHT, LEFT));
        second.start();
        second.join();
        both(LEFT, RIGHT);
        System.out.println("ok");
    }
}
