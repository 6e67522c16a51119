/** Right: each thread has its own object in a ThreadLocal, and changes it without a lock. */
public class ThreadLocalValue {
    static class Counter {
        int count;
    }

    static final ThreadLocal<Counter> OWN = ThreadLocal.withInitial(Counter::new);

    static void count() {
        for (int i = 0; i < 20; i++) {
            OWN.get().count++;
        }
        if (OWN.get().count != 20) {
            throw new IllegalStateException();
        }
        OWN.remove();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(ThreadLocalValue::count);
        Thread second = new Thread(ThreadLocalValue::count);
        first.start();
        second.start();
        count();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
