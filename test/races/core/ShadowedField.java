import quiet.Order;

/**
 * Wrong in one of two: a subclass has a field of the same name and type as its superclass. The one of the subclass is
 * used by one thread only, the one of the superclass by both.
 */
public class ShadowedField {
    static class Base {
        int value;
    }

    static class Derived extends Base {
        int value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived();
        Thread first = new Thread(() -> {
            derived.value = 1;
            ((Base) derived).value = 1; //! race observed ShadowedField$Base.value
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        ((Base) derived).value = 2; //! race observed ShadowedField$Base.value
        first.join();
        System.out.println(derived.value == 1 ? "ok" : "mixed up");
    }
}
