import quiet.Threads;

/** Wrong: a loop reads two fields of each node; another thread has written one field of the second node only. */
public class BatchReassigned {
    static class Node {
        final Node next;
        int key;
        int value;

        Node(Node next) {
            this.next = next;
        }

        static int sum(Node node) {
            int sum = node.key + node.value;
            node = node.next;
            sum += node.key;
            sum += node.value; //! race observed BatchReassigned$Node.value
            return sum;
        }
    }

    public static void main(String[] arguments) {
        Node second = new Node(null);
        Node first = new Node(second);
        Node.sum(first);
        Threads.inTurn(() -> second.value = 1, () -> Node.sum(first));
        System.out.println(Node.sum(first) == 1 ? "ok" : "lost");
    }
}
