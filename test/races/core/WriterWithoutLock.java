import quiet.Order;

/** Wrong: the reader holds the lock, the writer does not; the writer used the lock later on for something else. */
public class WriterWithoutLock {
    private int value;
    private int others;

    void set(int value) {
        this.value = value; //! race predicted WriterWithoutLock.value
    }

    synchronized int get() {
        return value; //! race predicted WriterWithoutLock.value
    }

    synchronized void somethingElse() {
        others++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        WriterWithoutLock object = new WriterWithoutLock();
        object.value = 1;
        Thread writer = new Thread(() -> {
            object.set(5);
            object.somethingElse();
            Order.reach("written");
        });
        Thread reader = new Thread(() -> {
            Order.await("written");
            object.get();
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
