/** Right: a static field is used in static synchronized methods only. */
public class StaticFieldLocked {
    private static int total;

    static synchronized void add(int amount) {
        total += amount;
    }

    static synchronized int total() {
        return total;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable work = () -> {
            for (int i = 0; i < 100; i++) {
                add(1);
                total();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(total() == 200 ? "ok" : "lost an addition");
    }
}
