/** Right: a subclass of Thread with fields for its input and its result, and an overridden start. */
public class ThreadSubclass extends Thread {
    private int input;
    private int result;

    ThreadSubclass(int input) {
        super("squares " + input);
        this.input = input;
    }

    @Override
    public synchronized void start() {
        input++;
        super.start();
    }

    @Override
    public void run() {
        result = input * input;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ThreadSubclass one = new ThreadSubclass(1);
        ThreadSubclass two = new ThreadSubclass(2);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(one.result + two.result == 13 ? "ok" : "not seen");
    }
}
