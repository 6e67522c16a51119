/** Right: the twin of CounterIncrement with synchronized methods. */
public class CounterSynchronized {
    private int count;

    synchronized void increment() {
        count++;
    }

    synchronized int count() {
        return count;
    }

    public static void main(String[] arguments) throws InterruptedException {
        CounterSynchronized counter = new CounterSynchronized();
        Runnable work = () -> {
            for (int i = 0; i < 1000; i++) {
                counter.increment();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(counter.count() == 2000 ? "ok" : "lost a count");
    }
}
