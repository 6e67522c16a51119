import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import quiet.Order;

/** Wrong: the pool calls the factory in the thread that submits; two of them race for its plain counter. */
public class ExecutorThreadFactoryRace {
    static class Factory implements ThreadFactory {
        int made;

        @Override
        public Thread newThread(Runnable work) {
            made++; //! race observed ExecutorThreadFactoryRace$Factory.made
            return new Thread(work);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Factory factory = new Factory();
        ExecutorService one = Executors.newCachedThreadPool(factory);
        ExecutorService two = Executors.newCachedThreadPool(factory);
        Runnable nothing = () -> { };
        Thread first = new Thread(() -> {
            one.execute(nothing);
            Order.reach("first submitted");
        });
        Thread second = new Thread(() -> {
            Order.await("first submitted");
            two.execute(nothing);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        one.shutdown();
        two.shutdown();
        System.out.println("ok");
    }
}
