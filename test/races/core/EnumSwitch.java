import quiet.Order;

/**
 * Right: a switch over an enum uses an array that the compiler puts into a class of its own. One thread initializes it,
 * the other reads it: class initialization orders them.
 */
public class EnumSwitch {
    enum Color { RED, GREEN }

    static int number(Color color) {
        switch (color) {
            case RED:
                return 1;
            case GREEN:
                return 2;
            default:
                return 3;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            number(Color.RED);
            Order.reach("switched");
        });
        first.start();
        Order.await("switched");
        int sum = number(Color.RED) + number(Color.GREEN);
        first.join();
        System.out.println(sum == 3 ? "ok" : "wrong case");
    }
}
