import quiet.Order;

/** Wrong: as ConstructorEscape, but the other thread writes before the constructor does. */
public class ConstructorEscapeEarly {
    static volatile ConstructorEscapeEarly escaped;

    int value;

    ConstructorEscapeEarly() {
        escaped = this;
        Order.reach("escaped");
        Order.await("written");
        value = 1; //! race observed ConstructorEscapeEarly.value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(ConstructorEscapeEarly::new);
        first.start();
        Order.await("escaped");
        escaped.value = 2; //! race observed ConstructorEscapeEarly.value
        Order.reach("written");
        first.join();
        System.out.println("ok");
    }
}
