import java.util.concurrent.atomic.AtomicBoolean;
import quiet.Threads;

/** Wrong: it can be closed between the question and what is done about the answer. */
public class AtomicBeforeLock {
    private static final Object LOCK = new Object();
    private static final AtomicBoolean closed = new AtomicBoolean();
    private static int entries;

    public static void add() {
        if (!closed.get()) {
            synchronized (LOCK) { //! atomicity predicted AtomicBeforeLock.add
                entries++;
            }
        }
    }

    public static int close() {
        synchronized (LOCK) {
            closed.set(true);
            return entries;
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(AtomicBeforeLock::add, AtomicBeforeLock::close);
        System.out.println(close() == 1 ? "ok" : "lost");
    }
}
