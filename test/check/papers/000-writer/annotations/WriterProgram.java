import java.io.IOException;

import turnstile.annotation.GuardedBy;

/** A field that only the constructor assigns guards the other ones (figure 11). */
abstract class WriterProgram {
    protected Object lock;
    @GuardedBy("lock") private char[] writeBuffer;
    private final int writeBufferSize = 1024;

    protected WriterProgram(Object lock) {
        if (lock == null) {
            throw new NullPointerException();
        }
        this.lock = lock;
    }

    public void write(int c) throws IOException {
        synchronized (lock) {
            if (writeBuffer == null) { // without synchronized 1: guard-not-held
                writeBuffer = new char[writeBufferSize]; // without synchronized 1: guard-not-held
            }
            writeBuffer[0] = (char) c; // without synchronized 1: guard-not-held
            write(writeBuffer, 0, 1); // without synchronized 1: guard-not-held
        }
    }

    public abstract void write(char[] buffer, int offset, int length) throws IOException;
}
