import quiet.Threads;

/** Wrong: between the length and the characters of the other buffer, another thread can cut it. */
public class BufferAppend {
    static class Buffer {
        private final char[] value = new char[100];
        private int count = 10;

        public synchronized Buffer append(Buffer other) {
            int length = other.length(); //! entered BufferAppend$Buffer.append
            other.getChars(length, value, count);
            count += length;
            return this;
        }

        public synchronized int length() {
            return count; //! commits BufferAppend$Buffer.append
        }

        public synchronized void getChars(int length, char[] to, int at) {
            if (length > count) { //! atomicity predicted BufferAppend$Buffer.append
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
        Threads.inTurn(() -> left.append(right), () -> right.setLength(0));
        System.out.println(left.length() == 20 ? "ok" : "cut");
    }
}
