/** Right: two threads run the same code on objects of their own. */
public class DistinctObjects {
    int value;
    DistinctObjects next;

    void use() {
        for (int i = 0; i < 100; i++) {
            value++;
            DistinctObjects fresh = new DistinctObjects();
            fresh.value = value;
            next = fresh;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        DistinctObjects one = new DistinctObjects();
        DistinctObjects two = new DistinctObjects();
        Thread first = new Thread(one::use);
        Thread second = new Thread(two::use);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(one.value + two.value == 200 && one.next.value == 100 ? "ok" : "mixed up");
    }
}
