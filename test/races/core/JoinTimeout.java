/** Right: a join with a timeout that returns because the thread has ended. */
public class JoinTimeout {
    static int first;
    static int second;

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> first = 20);
        Thread two = new Thread(() -> second = 22);
        one.start();
        two.start();
        one.join(600_000);
        two.join(600_000, 500_000);
        System.out.println(first + second == 42 ? "ok" : "not seen");
    }
}
