import quiet.Order;

/** Wrong: a copy made by clone has a lock of its own, which does not exclude those who hold the original's. */
public class CopyLock implements Cloneable {
    static int shared;

    synchronized void add(int by) {
        shared += by; //! race observed CopyLock.shared
    }

    public static void main(String[] arguments) throws Exception {
        CopyLock original = new CopyLock();
        original.add(0);
        CopyLock copy = (CopyLock) original.clone();
        Thread first = new Thread(() -> {
            original.add(1);
            Order.reach("first");
        });
        Thread second = new Thread(() -> {
            Order.await("first");
            copy.add(2);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
