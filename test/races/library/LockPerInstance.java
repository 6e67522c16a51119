import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/** Wrong: a static counter, guarded by a lock that each instance has for itself. */
public class LockPerInstance {
    static class Ticket {
        static int sold;
        private final ReentrantLock lock = new ReentrantLock();

        void sell() {
            lock.lock();
            try {
                sold++; //! race observed LockPerInstance$Ticket.sold
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Ticket one = new Ticket();
        Ticket two = new Ticket();
        Thread first = new Thread(() -> {
            one.sell();
            Order.reach("first sold");
        });
        Thread second = new Thread(() -> {
            Order.await("first sold");
            two.sell();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
