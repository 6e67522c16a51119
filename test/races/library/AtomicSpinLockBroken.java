import java.util.concurrent.atomic.AtomicBoolean;
import quiet.Order;

/** Wrong: a spin lock that looks with get() and takes with set(): both threads find it free. */
public class AtomicSpinLockBroken {
    static final AtomicBoolean taken = new AtomicBoolean();
    static int count;

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            while (taken.get()) {
                Thread.yield();
            }
            Order.await("second looked");
            taken.set(true);
            count++;
            Order.reach("first wrote");
            Order.await("second wrote");
            taken.set(false);
        });
        Thread second = new Thread(() -> {
            while (taken.get()) {
                Thread.yield();
            }
            Order.reach("second looked");
            Order.await("first wrote");
            taken.set(true);
            count++; //! race observed AtomicSpinLockBroken.count
            Order.reach("second wrote");
            taken.set(false);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
