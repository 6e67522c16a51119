import java.util.ArrayList;
import java.util.List;

/** Right: each thread has an object of its own behind the same ThreadLocal. */
public class ThreadLocalOwn {
    static class Context {
        int calls;
        final List<Integer> log = new ArrayList<>();
    }

    static final ThreadLocal<Context> context = ThreadLocal.withInitial(Context::new);

    static void work() {
        for (int i = 0; i < 100; i++) {
            context.get().calls++;
            context.get().log.add(i);
        }
        if (context.get().calls != 100 || context.get().log.size() != 100) {
            throw new AssertionError();
        }
        context.remove();
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(ThreadLocalOwn::work);
        Thread second = new Thread(ThreadLocalOwn::work);
        first.start();
        second.start();
        work();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
