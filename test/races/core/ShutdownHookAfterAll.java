/**
 * Right: when nobody calls exit, shutdown hooks start after the last thread that is no daemon has ended, and see what all
 * of them did.
 */
public class ShutdownHookAfterAll {
    static int fromMain;
    static int fromOther;

    public static void main(String[] arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println(fromMain == 1 && fromOther == 2 ? "ok" : "not seen");
            fromMain++;
        }));
        new Thread(() -> fromOther = 2).start();
        fromMain = 1;
    }
}
