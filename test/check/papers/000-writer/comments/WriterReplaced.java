import java.io.IOException;

/** A field that another method assigns is no lock (section 2.2). */
abstract class WriterReplaced {
    protected Object lock;
    private char[] writeBuffer /*# guarded_by lock */; // expect: lock-not-final
    private final int writeBufferSize = 1024;

    protected WriterReplaced(Object lock) {
        if (lock == null) {
            throw new NullPointerException();
        }
        this.lock = lock;
    }

    public void write(int c) throws IOException {
        synchronized (lock) {
            if (writeBuffer == null) {
                writeBuffer = new char[writeBufferSize];
            }
            writeBuffer[0] = (char) c;
            write(writeBuffer, 0, 1);
        }
    }

    public abstract void write(char[] buffer, int offset, int length) throws IOException;

    void replace(Object other) {
        this.lock = other;
    }
}
