import quiet.Order;

/** Wrong: the lock was entered twice and left twice before the access. */
public class ReentrantLocksWrong {
    private int value;

    void add() {
        synchronized (this) {
            synchronized (this) {
                if (value < 0) {
                    return;
                }
            }
        }
        value++; //! race predicted ReentrantLocksWrong.value
    }

    public static void main(String[] arguments) throws InterruptedException {
        ReentrantLocksWrong object = new ReentrantLocksWrong();
        object.value = 0;
        Thread first = new Thread(() -> {
            object.add();
            synchronized (object) { // hands the lock over, so that this run is ordered
                object.toString();
            }
            Order.reach("added");
        });
        Thread second = new Thread(() -> {
            Order.await("added");
            object.add();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
