import quiet.Order;

/** Wrong: a field of a superclass, accessed through the name of a subclass; it is the superclass's field that races. */
public class InheritedField {
    static class Base {
        int count;
        static int all;
    }

    static class Middle extends Base {
    }

    static class Derived extends Middle {
        void increment() {
            count = count + 1; //! race observed InheritedField$Base.count
            all = all + 1; //! race observed InheritedField$Base.all
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived();
        Thread first = new Thread(() -> {
            derived.increment();
            Order.reach("done");
        });
        first.start();
        Order.await("done");
        int seen = derived.count; //! race observed InheritedField$Base.count
        seen += Derived.all; //! race observed InheritedField$Base.all
        first.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
