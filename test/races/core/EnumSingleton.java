import quiet.Order;

/** Right: a singleton as an enum constant, made by the first thread that needs it; its state is under its lock. */
public class EnumSingleton {
    enum Service {
        INSTANCE;

        private int capacity = 10;
        private int calls;

        synchronized int call() {
            return capacity + ++calls;
        }

        int capacity() {
            return capacity; // written by the constructor only
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            Service.INSTANCE.call();
            Service.INSTANCE.capacity();
            Order.reach("called");
        });
        first.start();
        Order.await("called");
        int sum = Service.INSTANCE.capacity() + Service.INSTANCE.call();
        first.join();
        System.out.println(sum == 10 + 12 ? "ok" : "wrong sum");
    }
}
