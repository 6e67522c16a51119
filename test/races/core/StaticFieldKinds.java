import quiet.Order;

/** Wrong: static fields of every type, each written by one thread and read by another at the same time. */
public class StaticFieldKinds {
    static boolean flag;
    static byte small;
    static char letter;
    static short middle;
    static int number;
    static float real;
    static long big;
    static double fine;
    static Object thing;

    static void write() {
        flag = true; //! race observed StaticFieldKinds.flag
        small = 1; //! race observed StaticFieldKinds.small
        letter = 'a'; //! race observed StaticFieldKinds.letter
        middle = 2; //! race observed StaticFieldKinds.middle
        number = 3; //! race observed StaticFieldKinds.number
        real = 4.5f; //! race observed StaticFieldKinds.real
        big = 5L; //! race observed StaticFieldKinds.big
        fine = 6.5; //! race observed StaticFieldKinds.fine
        thing = "seven"; //! race observed StaticFieldKinds.thing
    }

    static int read() {
        int sum = 0;
        sum += flag ? 1 : 0; //! race observed StaticFieldKinds.flag
        sum += small; //! race observed StaticFieldKinds.small
        sum += letter; //! race observed StaticFieldKinds.letter
        sum += middle; //! race observed StaticFieldKinds.middle
        sum += number; //! race observed StaticFieldKinds.number
        sum += (int) real; //! race observed StaticFieldKinds.real
        sum += (int) big; //! race observed StaticFieldKinds.big
        sum += (int) fine; //! race observed StaticFieldKinds.fine
        sum += thing == null ? 1 : 0; //! race observed StaticFieldKinds.thing
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            write();
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int sum = read();
        writer.join();
        System.out.println(sum > 0 ? "ok" : "the values were not seen");
    }
}
