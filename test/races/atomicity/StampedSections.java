import java.util.concurrent.locks.StampedLock;
import quiet.Threads;

/** Wrong: between the read stamp and the write stamp others can write. */
public class StampedSections {
    private static final StampedLock LOCK = new StampedLock();
    private static int value;

    public static void increment() {
        long stamp = LOCK.readLock();
        int before = value;
        LOCK.unlockRead(stamp);
        stamp = LOCK.writeLock(); //! atomicity predicted StampedSections.increment
        value = before + 1; //! atomicity predicted StampedSections.increment
        LOCK.unlockWrite(stamp);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(StampedSections::increment, StampedSections::increment);
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
