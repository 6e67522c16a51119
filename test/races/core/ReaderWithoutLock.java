import quiet.Order;

/** Wrong: the writer holds the lock, the reader does not. */
public class ReaderWithoutLock {
    private int value;

    synchronized void set(int value) {
        this.value = value; //! race observed ReaderWithoutLock.value
    }

    int get() {
        return value; //! race observed ReaderWithoutLock.value
    }

    public static void main(String[] arguments) throws InterruptedException {
        ReaderWithoutLock object = new ReaderWithoutLock();
        Thread writer = new Thread(() -> {
            object.set(5);
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int seen = object.get();
        writer.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
