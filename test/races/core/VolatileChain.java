/**
 * Right: three threads, two volatile flags: what the first wrote before its flag, the third sees through the second.
 */
public class VolatileChain {
    static int data;
    static volatile boolean one;
    static volatile boolean two;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            data = 42;
            one = true;
        });
        Thread second = new Thread(() -> {
            while (!one) {
                Thread.yield();
            }
            two = true;
        });
        Thread third = new Thread(() -> {
            while (!two) {
                Thread.yield();
            }
            data++;
        });
        third.start();
        second.start();
        first.start();
        first.join();
        second.join();
        third.join();
        System.out.println(data == 43 ? "ok" : "not seen");
    }
}
