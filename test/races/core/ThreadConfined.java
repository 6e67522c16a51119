/** Right: every thread makes its own objects and arrays and shows them to nobody. */
public class ThreadConfined {
    static class Node {
        int value;
        Node next;
        static final int LENGTH = 50;
    }

    static int work(int seed) {
        Node first = null;
        int[] cells = new int[Node.LENGTH];
        for (int i = 0; i < cells.length; i++) {
            Node node = new Node();
            node.value = seed + i;
            node.next = first;
            first = node;
            cells[i] = node.value;
        }
        int sum = 0;
        for (Node node = first; node != null; node = node.next) {
            node.value++;
            sum += node.value + cells[node.value % cells.length];
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> work(1));
        Thread second = new Thread(() -> work(2));
        first.start();
        second.start();
        int sum = work(3);
        first.join();
        second.join();
        System.out.println(sum > 0 ? "ok" : "negative");
    }
}
