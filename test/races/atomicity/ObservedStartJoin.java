/** Wrong: a block that waits for a thread that it has started cannot be one step; that thread is always between. */
public class ObservedStartJoin {
    private static int result;

    public static int compute() throws InterruptedException {
        Thread helper = new Thread(() -> result = 7);
        helper.start(); //! commits ObservedStartJoin.compute
        helper.join(); //! atomicity observed ObservedStartJoin.compute
        return result;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(compute() == 7 ? "ok" : "lost");
    }
}
