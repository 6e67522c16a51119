import quiet.Order;

/** Wrong: a constructor gives `this` away through a volatile field and then goes on to write the object. */
public class ConstructorEscape {
    static volatile ConstructorEscape escaped;

    int value;

    ConstructorEscape() {
        escaped = this;
        value = 1; // after the volatile write, so not ordered before the read
        Order.reach("constructed");
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(ConstructorEscape::new);
        first.start();
        Order.await("constructed");
        int seen = escaped.value; //! race observed ConstructorEscape.value
        first.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
