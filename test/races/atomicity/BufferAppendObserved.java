import quiet.Order;
import quiet.Threads;

/** Wrong: in this run the other buffer is cut between its length and its characters. */
public class BufferAppendObserved {
    static class Buffer {
        private final char[] value = new char[100];
        private int count = 10;
        private boolean failed;

        public synchronized void append(Buffer other) {
            int length = other.length(); //! entered BufferAppendObserved$Buffer.append
            Order.reach("measured");
            Order.await("cut");
            failed = !other.getChars(length, value, count);
        }

        public synchronized int length() {
            return count; //! commits BufferAppendObserved$Buffer.append
        }

        public synchronized boolean getChars(int length, char[] to, int at) {
            if (length > count) { //! atomicity observed BufferAppendObserved$Buffer.append
                return false;
            }
            System.arraycopy(value, 0, to, at, length);
            return true;
        }

        public synchronized void setLength(int length) {
            count = length;
        }
    }

    public static void main(String[] arguments) {
        Buffer left = new Buffer();
        Buffer right = new Buffer();
        Threads.together(() -> left.append(right), () -> {
            Order.await("measured");
            right.setLength(0);
            Order.reach("cut");
        });
        System.out.println(left.failed ? "ok" : "not cut");
    }
}
