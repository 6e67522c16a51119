//! needs: 21

/** Right: virtual threads have thread locals of their own, although they share carriers. */
public class VirtualThreadLocal {
    static class Context {
        int calls;
    }

    static final ThreadLocal<Context> context = ThreadLocal.withInitial(Context::new);

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[20];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofVirtual().start(() -> {
                for (int j = 0; j < 10; j++) {
                    context.get().calls++;
                    Thread.yield();
                }
                if (context.get().calls != 10) {
                    throw new AssertionError();
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("ok");
    }
}
