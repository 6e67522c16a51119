import quiet.Order;

/** Wrong: a static field is written in a static synchronized method and in an instance one; these are two locks. */
public class StaticAndInstanceLock {
    private static int total;

    static synchronized void addStatically() {
        total++; //! race observed StaticAndInstanceLock.total
    }

    synchronized void add() {
        total++; //! race observed StaticAndInstanceLock.total
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            addStatically();
            Order.reach("added");
        });
        first.start();
        Order.await("added");
        new StaticAndInstanceLock().add();
        first.join();
        System.out.println("ok");
    }
}
