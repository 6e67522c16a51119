import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Threads;

/** Wrong: the reader of one waits for the writer of the other, who waits for the reader. */
public class DeadlockReaderAndWriter {
    private static final ReentrantReadWriteLock LEFT = new ReentrantReadWriteLock();
    private static final ReentrantReadWriteLock RIGHT = new ReentrantReadWriteLock();

    static void read() {
        LEFT.readLock().lock();
        RIGHT.readLock().lock(); //! deadlock 2 of DeadlockReaderAndWriter.LEFT, DeadlockReaderAndWriter.RIGHT
        RIGHT.readLock().unlock();
        LEFT.readLock().unlock();
    }

    static void write() {
        RIGHT.writeLock().lock();
        LEFT.writeLock().lock(); //! deadlock 2 of DeadlockReaderAndWriter.LEFT, DeadlockReaderAndWriter.RIGHT
        LEFT.writeLock().unlock();
        RIGHT.writeLock().unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockReaderAndWriter::read, DeadlockReaderAndWriter::write);
        System.out.println("ok");
    }
}
