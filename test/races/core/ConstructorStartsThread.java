import quiet.Order;

/**
 * Wrong: a constructor starts a thread on its own object; a subclass's constructor then writes what the thread reads.
 */
public class ConstructorStartsThread {
    static class Base {
        final Thread thread;

        Base() {
            thread = new Thread(this::work);
            thread.start();
        }

        void work() {
        }
    }

    static class Derived extends Base {
        String name;

        Derived() {
            super();
            Order.await("read");
            name = "derived"; //! race observed ConstructorStartsThread$Derived.name
        }

        @Override
        void work() {
            if (name == "other") { //! race observed ConstructorStartsThread$Derived.name
                throw new IllegalStateException();
            }
            Order.reach("read");
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived();
        derived.thread.join();
        System.out.println("ok");
    }
}
