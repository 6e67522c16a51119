/** Right: a shutdown hook sees what the main thread did before it registered the hook; then the main thread returns. */
public class ShutdownHook {
    static int value;

    public static void main(String[] arguments) {
        value = 42;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            value++;
            System.out.println(value == 43 ? "ok" : "not seen");
        }));
    }
}
