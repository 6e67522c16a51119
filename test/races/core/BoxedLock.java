/** Right, if not advisable: small boxed numbers and string literals are the same objects everywhere. */
public class BoxedLock {
    static int byNumber;
    static int byText;

    static void add(Object number, String text) {
        for (int i = 0; i < 100; i++) {
            synchronized (number) {
                byNumber++;
            }
            synchronized (text.intern()) {
                byText++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> add(Integer.valueOf(5), "lock"));
        Thread second = new Thread(() -> add(Integer.valueOf(2 + 3), new String("lock")));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(byNumber == 200 && byText == 200 ? "ok" : "lost an addition");
    }
}
