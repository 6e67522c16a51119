import quiet.Order;

/** Wrong: an inner class locks itself and not the outer object that it changes. */
public class InnerLock {
    private int value;

    synchronized void add() {
        value++; //! race observed InnerLock.value
    }

    class Inner {
        synchronized void add() {
            value += 2; //! race observed InnerLock.value
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        InnerLock outer = new InnerLock();
        Thread first = new Thread(() -> {
            outer.add();
            Order.reach("added");
        });
        first.start();
        Order.await("added");
        outer.new Inner().add();
        first.join();
        System.out.println("ok");
    }
}
