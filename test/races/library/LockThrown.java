import java.util.concurrent.locks.ReentrantLock;

/** Right: the finally block gives the lock back although the guarded code ends with an exception. */
public class LockThrown {
    static class Register {
        final ReentrantLock lock = new ReentrantLock();
        int good;
        int bad;

        void add(int value) {
            lock.lock();
            try {
                if (value % 2 == 0) {
                    bad++;
                    throw new IllegalArgumentException("even");
                }
                good++;
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Register register = new Register();
        Runnable work = () -> {
            for (int i = 0; i < 200; i++) {
                try {
                    register.add(i);
                } catch (IllegalArgumentException expected) {
                    continue;
                }
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (register.good != 200 || register.bad != 200) {
            throw new AssertionError(register.good + " " + register.bad);
        }
        System.out.println("ok");
    }
}
