import java.util.concurrent.locks.StampedLock;

/** Right: the write and the read lock of a StampedLock. */
public class StampedReadWrite {
    static class Point {
        private final StampedLock lock = new StampedLock();
        private int x;
        private int y;

        void move(int by) {
            long stamp = lock.writeLock();
            try {
                x += by;
                y += by;
            } finally {
                lock.unlockWrite(stamp);
            }
        }

        int difference() {
            long stamp = lock.readLock();
            try {
                return x - y;
            } finally {
                lock.unlock(stamp);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        Runnable work = () -> {
            for (int i = 0; i < 200; i++) {
                point.move(i);
                if (point.difference() != 0) {
                    throw new AssertionError();
                }
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
