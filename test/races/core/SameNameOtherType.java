import quiet.Order;

/** Wrong in one of three: fields of one name and different types in a class, its superclass and an unrelated class. */
public class SameNameOtherType {
    static class Base {
        int data;
    }

    static class Derived extends Base {
        String data;

        void setBoth(int number, String text) {
            super.data = number;
            data = text; //! race observed SameNameOtherType$Derived.data
        }
    }

    static class Other {
        long data;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived();
        Other other = new Other();
        Thread first = new Thread(() -> {
            derived.setBoth(1, "one");
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        other.data = 2;
        derived.data = "two"; //! race observed SameNameOtherType$Derived.data
        first.join();
        System.out.println(((Base) derived).data == 1 ? "ok" : "mixed up");
    }
}
