import quiet.Order;

/** Wrong: a superclass locks getClass(), which is another lock for objects of a subclass. */
public class GetClassLock {
    private static int total;

    void add() {
        synchronized (getClass()) {
            total++; //! race observed GetClassLock.total
        }
    }

    static class Sub extends GetClassLock {
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            new GetClassLock().add();
            Order.reach("added");
        });
        first.start();
        Order.await("added");
        new Sub().add();
        first.join();
        System.out.println("ok");
    }
}
