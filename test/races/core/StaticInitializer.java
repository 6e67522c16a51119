import quiet.Order;

/**
 * Right: whoever uses a class sees what its static initializer did, although another thread ran it: fields, array
 * elements and objects, also those of other classes.
 */
public class StaticInitializer {
    static class Node {
        int value;
        Node next;
    }

    static class Table {
        static int size = 4;
        static int[] squares = new int[size];
        static Node first;

        static {
            for (int i = 0; i < size; i++) {
                squares[i] = i * i;
                Node node = new Node();
                node.value = i;
                node.next = first;
                first = node;
            }
        }

        static int sum() {
            int sum = size;
            for (int square : squares) {
                sum += square;
            }
            for (Node node = first; node != null; node = node.next) {
                sum += node.value;
            }
            return sum;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            Table.sum();
            Order.reach("initialized");
        });
        first.start();
        Order.await("initialized");
        int sum = Table.sum();
        first.join();
        System.out.println(sum == 4 + 14 + 6 ? "ok" : "wrong sum");
    }
}
