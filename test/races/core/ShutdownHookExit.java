/** Right: a shutdown hook sees what the thread that calls exit did before; exit starts the hooks. */
public class ShutdownHookExit {
    static int value;

    public static void main(String[] arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            value++;
            System.out.println(value == 43 ? "ok" : "not seen");
        }));
        value = 42;
        System.exit(0);
    }
}
