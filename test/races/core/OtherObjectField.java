import quiet.Order;

/** Wrong: a method writes the field of its parameter while it holds the lock of another object. */
public class OtherObjectField {
    int value;

    synchronized void copyTo(OtherObjectField to) {
        to.value = value; //! race observed OtherObjectField.value
    }

    public static void main(String[] arguments) throws InterruptedException {
        OtherObjectField one = new OtherObjectField();
        OtherObjectField two = new OtherObjectField();
        OtherObjectField target = new OtherObjectField();
        Thread first = new Thread(() -> {
            one.copyTo(target);
            Order.reach("copied");
        });
        first.start();
        Order.await("copied");
        two.copyTo(target);
        first.join();
        System.out.println("ok");
    }
}
