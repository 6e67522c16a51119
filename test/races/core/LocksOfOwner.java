import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Order;

/**
 * Wrong: the second thread takes none of the locks that the first holds. They are told of all the same: also of the
 * thousandth access of a line, by when what most accesses need is done in a quicker way.
 */
public class LocksOfOwner {
    static final int MANY = 1000;

    static class Item {
        int none;
        int one;
        int three;
        int four;
        int read;
        int again;
    }

    static final Object ONE = new Object();
    static final Object TWO = new Object();
    static final ReentrantLock THREE = new ReentrantLock();
    static final ReentrantReadWriteLock.ReadLock FOUR = new ReentrantReadWriteLock().readLock();

    static void fill(Item item) {
        item.none = 1; //! race observed LocksOfOwner$Item.none holding 0
        synchronized (ONE) {
            item.one = 1; //! race observed LocksOfOwner$Item.one holding 1
            synchronized (TWO) {
                THREE.lock();
                try {
                    item.three = 1; //! race observed LocksOfOwner$Item.three holding 3
                    FOUR.lock();
                    try {
                        item.four = 1; //! race observed LocksOfOwner$Item.four holding 4 sharing 1
                        item.again = item.read; //! race observed LocksOfOwner$Item.read holding 4 sharing 1
                    } finally {
                        FOUR.unlock();
                    }
                } finally {
                    THREE.unlock();
                }
            }
            item.again = 2; //! race observed LocksOfOwner$Item.again holding 1
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Item[] items = new Item[MANY];
        for (int i = 0; i < MANY; i++) {
            items[i] = new Item();
        }
        Thread first = new Thread(() -> {
            for (Item item : items) {
                fill(item);
            }
            Order.reach("filled");
        });
        first.start();
        Order.await("filled");
        Item last = items[MANY - 1];
        last.none = 2; //! race observed LocksOfOwner$Item.none holding 0
        last.one = 2; //! race observed LocksOfOwner$Item.one holding 0
        last.three = 2; //! race observed LocksOfOwner$Item.three holding 0
        last.four = 2; //! race observed LocksOfOwner$Item.four holding 0
        last.read = 2; //! race observed LocksOfOwner$Item.read holding 0
        last.again = 3; //! race observed LocksOfOwner$Item.again holding 0
        first.join();
        System.out.println("ok");
    }
}
