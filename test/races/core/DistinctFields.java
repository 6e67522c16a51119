/** Right: two threads use different fields of one object; each field is a variable of its own. */
public class DistinctFields {
    int left;
    int right;

    public static void main(String[] arguments) throws InterruptedException {
        DistinctFields pair = new DistinctFields();
        Thread first = new Thread(() -> pair.left++);
        Thread second = new Thread(() -> pair.right++);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(pair.left + pair.right == 2 ? "ok" : "mixed up");
    }
}
