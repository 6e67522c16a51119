import java.util.concurrent.locks.ReentrantLock;

/** Right: a sorted list with a lock in each node; a node's lock is taken before its predecessor's is given back. */
public class LockHandOverHand {
    static class Node {
        final int key;
        final ReentrantLock lock = new ReentrantLock();
        Node next;
        int hits;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    static final Node head = new Node(Integer.MIN_VALUE, new Node(Integer.MAX_VALUE, null));

    static void add(int key) {
        Node before = head;
        before.lock.lock();
        Node node = before.next;
        node.lock.lock();
        while (node.key < key) {
            before.lock.unlock();
            before = node;
            node = node.next;
            node.lock.lock();
        }
        if (node.key == key) {
            node.hits++;
        } else {
            before.next = new Node(key, node);
        }
        node.lock.unlock();
        before.lock.unlock();
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            for (int i = 0; i < 40; i++) {
                add(i);
            }
        });
        Thread second = new Thread(() -> {
            for (int i = 59; i >= 20; i--) {
                add(i);
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        int nodes = 0;
        int hits = 0;
        for (Node node = head.next; node.next != null; node = node.next) {
            nodes++;
            hits += node.hits;
        }
        if (nodes != 60 || hits != 20) {
            throw new AssertionError(nodes + " " + hits);
        }
        System.out.println("ok");
    }
}
