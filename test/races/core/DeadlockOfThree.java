import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Deadlock;
import quiet.Order;

/**
 * Three threads in a circle: a monitor of a synchronized method, a ReentrantLock, and a write lock. A fourth one waits for
 * one of them, and has nothing that they want. Wrong; they wait until the program is halted.
 */
public class DeadlockOfThree {
    private static final ReentrantLock SECOND = new ReentrantLock();
    private static final ReentrantReadWriteLock THIRD = new ReentrantReadWriteLock();

    synchronized void first() {
        Order.reach("first"); //! deadlock observed 3
        Order.await("second");
        //! with --atomicity both --atomic none: deadlock observed 3
        //! with --atomicity both --atomic none --events distinct: deadlock observed 3
        SECOND.lock(); //! deadlock observed 3
    }

    private static void second() {
        SECOND.lock();
        Order.reach("second");
        Order.await("third");
        THIRD.writeLock().lock(); //! deadlock observed 3
    }

    private void third() {
        THIRD.writeLock().lock();
        Order.reach("third");
        Order.await("first");
        first(); // waits where the method begins
    }

    private static void fourth() {
        synchronized (DeadlockOfThree.class) {
            Order.await("second");
            Order.reach("fourth");
            SECOND.lock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        DeadlockOfThree object = new DeadlockOfThree();
        new Thread(object::first, "first").start();
        new Thread(DeadlockOfThree::second, "second").start();
        new Thread(object::third, "third").start();
        Thread fourth = new Thread(DeadlockOfThree::fourth, "fourth");
        fourth.start();
        Order.await("fourth");
        Order.awaitBlocked(fourth);
        Deadlock.await(3);
        System.out.println("ok");
        Runtime.getRuntime().halt(0);
    }
}
