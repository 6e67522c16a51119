import quiet.Threads;

/** Right: both buffers are locked as long as it takes; the locks inside are had already. */
public class BufferAppendLocked {
    static class Buffer {
        private final char[] value = new char[100];
        private int count = 10;

        public synchronized Buffer append(Buffer other) {
            synchronized (other) {
                int length = other.length();
                other.getChars(length, value, count);
                count += length;
                return this;
            }
        }

        public synchronized int length() {
            return count;
        }

        public synchronized void getChars(int length, char[] to, int at) {
            if (length > count) {
                throw new IndexOutOfBoundsException(length);
            }
            System.arraycopy(value, 0, to, at, length);
        }

        public synchronized void setLength(int length) {
            count = length;
        }
    }

    public static void main(String[] arguments) {
        Buffer left = new Buffer();
        Buffer right = new Buffer();
        Threads.together(() -> left.append(right), () -> right.setLength(0));
        System.out.println("ok");
    }
}
