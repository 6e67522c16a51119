import java.util.concurrent.atomic.AtomicReference;

/** Right: a lock-free stack; compareAndSet() of the top publishes the node with its fields. */
public class AtomicStack {
    static class Node {
        final int value;
        Node next;
        int pops;

        Node(int value) {
            this.value = value;
        }
    }

    static final AtomicReference<Node> top = new AtomicReference<>();

    static void push(int value) {
        Node node = new Node(value);
        do {
            node.next = top.get();
        } while (!top.compareAndSet(node.next, node));
    }

    static int pop() {
        Node node;
        do {
            node = top.get();
            if (node == null) {
                return 0;
            }
        } while (!top.compareAndSet(node, node.next));
        node.pops++;
        return node.value;
    }

    static int work() {
        int sum = 0;
        for (int i = 1; i <= 200; i++) {
            push(i);
            if (i % 2 == 0) {
                sum += pop() + pop();
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        int[] sums = new int[2];
        Thread first = new Thread(() -> sums[0] = work());
        Thread second = new Thread(() -> sums[1] = work());
        first.start();
        second.start();
        first.join();
        second.join();
        int rest = 0;
        for (int value = pop(); value != 0; value = pop()) {
            rest += value;
        }
        if (sums[0] + sums[1] + rest != 2 * 20100) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
