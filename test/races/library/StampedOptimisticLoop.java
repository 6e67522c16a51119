import java.util.concurrent.locks.StampedLock;

/** Right: the usual loop: optimistic reads, validated, with the read lock to fall back on. */
public class StampedOptimisticLoop {
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
            long stamp = lock.tryOptimisticRead();
            int left = x;
            int right = y;
            if (!lock.validate(stamp)) {
                stamp = lock.readLock();
                try {
                    left = x;
                    right = y;
                } finally {
                    lock.unlockRead(stamp);
                }
            }
            return left - right;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        Thread mover = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                point.move(i);
            }
        });
        Thread reader = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                if (point.difference() != 0) {
                    throw new AssertionError();
                }
            }
        });
        mover.start();
        reader.start();
        mover.join();
        reader.join();
        System.out.println("ok");
    }
}
