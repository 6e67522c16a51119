import quiet.Order;

/** Wrong: a recursive method changes a shared field on its way up; the deepest call is where the stack ends. */
public class RecursionWithoutLock {
    private int sum;

    void descend(int depth) {
        if (depth == 30) {
            sum += depth; //! race observed RecursionWithoutLock.sum
            return;
        }
        descend(depth + 1);
    }

    public static void main(String[] arguments) throws InterruptedException {
        RecursionWithoutLock object = new RecursionWithoutLock();
        Thread first = new Thread(() -> {
            object.descend(0);
            Order.reach("done");
        });
        first.start();
        Order.await("done");
        object.descend(0);
        first.join();
        System.out.println("ok");
    }
}
