import quiet.Order;

/** Wrong: every thread's ThreadLocal starts with the same object. */
public class ThreadLocalShared {
    static class Context {
        int calls;
    }

    static final Context common = new Context();
    static final ThreadLocal<Context> context = ThreadLocal.withInitial(() -> common);

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            context.get().calls++;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Context mine = context.get();
            Order.await("first wrote");
            mine.calls++; //! race observed ThreadLocalShared$Context.calls
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
