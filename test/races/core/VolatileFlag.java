/** Right: data is written, then a volatile flag; who sees the flag may read the data. */
public class VolatileFlag {
    static int data;
    static long more;
    static volatile boolean ready;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data = 42;
            more = 43;
            ready = true;
        });
        writer.start();
        while (!ready) {
            Thread.yield();
        }
        long sum = data + more;
        data = 1;
        writer.join();
        System.out.println(sum == 85 ? "ok" : "not seen");
    }
}
