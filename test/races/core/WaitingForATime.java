import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/**
 * When the program ends, two threads wait for each other's lock, but one of them only for a time, and would then give its
 * own one back. Right: this is no deadlock.
 */
public class WaitingForATime {
    private static final ReentrantLock LEFT = new ReentrantLock();
    private static final ReentrantLock RIGHT = new ReentrantLock();

    private static void patient() {
        LEFT.lock();
        Order.reach("left");
        Order.await("right");
        RIGHT.lock();
    }

    private static void impatient() {
        RIGHT.lock();
        Order.reach("right");
        Order.await("left");
        try {
            LEFT.tryLock(1, TimeUnit.HOURS);
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    public static void main(String[] arguments) {
        Thread patient = new Thread(WaitingForATime::patient);
        Thread impatient = new Thread(WaitingForATime::impatient);
        patient.start();
        impatient.start();
        Order.await("left");
        Order.await("right");
        while (!RIGHT.hasQueuedThread(patient) || !LEFT.hasQueuedThread(impatient)) {
            Thread.onSpinWait();
        }
        Order.awaitBlocked(patient);
        Order.awaitBlocked(impatient);
        System.out.println("ok");
        System.exit(0);
    }
}
