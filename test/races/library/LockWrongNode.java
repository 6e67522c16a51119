import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: a list walk that locks the node before instead of the node itself when it writes the node. */
public class LockWrongNode {
    static class Node {
        final ReentrantLock lock = new ReentrantLock();
        final Node next;
        int hits;

        Node(Node next) {
            this.next = next;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Node tail = new Node(null);
        Node head = new Node(tail);
        Thread first = new Thread(() -> {
            tail.lock.lock();
            tail.hits++;
            tail.lock.unlock();
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            head.lock.lock();
            head.next.hits++; //! race observed LockWrongNode$Node.hits
            head.lock.unlock();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
