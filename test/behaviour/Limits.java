import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Stack and heap run out, are caught, and the program goes on, with its locks as they should be. */
public class Limits {
    int depth;
    int[] numbers = new int[4];
    static Limits shared = new Limits();
    final ReentrantLock lock = new ReentrantLock();
    Limits next;

    int recurse(int n) {
        depth++;
        numbers[n & 3] = n;
        return recurse(n + 1) + numbers[(n + 1) & 3];
    }

    synchronized int locked(int n) {
        depth = n;
        synchronized (numbers) {
            return locked(n + 1) + depth;
        }
    }

    static synchronized long lockedStatic(long n, double d) {
        shared.depth = (int) n;
        return lockedStatic(n + 1, d / 2) + shared.depth;
    }

    int explicit(int n) {
        lock.lock();
        try {
            depth = n;
            return explicit(n + 1) + 1;
        } finally {
            lock.unlock();
        }
    }

    static class Chain {
        final Chain next;
        int value = 1;

        Chain() {
            value++;
            next = new Chain();
        }
    }

    static class Unlucky {
        static int value = deep(0);

        static int deep(int n) {
            return deep(n + 1) + shared.numbers[n & 3];
        }
    }

    static void overflow(String what, Runnable code) {
        try {
            code.run();
            System.out.println(what + " did not overflow");
        } catch (StackOverflowError e) {
            System.out.println(what + " overflowed, " + (e.getStackTrace().length > 500) + " " + Thread.holdsLock(shared)
                    + Thread.holdsLock(shared.numbers)
                    + Thread.holdsLock(Limits.class));
        } catch (LinkageError e) {
            System.out.println(what + " " + e.getClass());
        }
    }

    static void heap(String what, java.util.concurrent.Callable<?> code) {
        try {
            System.out.println(what + " " + (code.call() != null));
        } catch (OutOfMemoryError e) {
            System.out.println(what + " " + e.getMessage());
        } catch (Exception e) {
            System.out.println(what + " " + e);
        }
    }

    static long used() {
        List<long[]> kept = new ArrayList<>();
        int held = 0;
        try {
            while (true) {
                long[] more = new long[1 << 18];
                more[more.length - 1] = held++;
                kept.add(more);
            }
        } catch (OutOfMemoryError e) {
            kept.clear();
            return held > 8 ? 1 : held;
        }
    }

    static int linked() {
        Limits first = new Limits();
        try {
            for (Limits last = first; ; last = last.next) {
                last.next = new Limits();
                last.next.numbers = new int[5000];
                last.next.numbers[3] = last.numbers[3] + 1;
            }
        } catch (OutOfMemoryError e) {
            int sum = first.next.next.numbers[3];
            first = null;
            return sum;
        }
    }

    static void all() {
        overflow("plain", () -> shared.recurse(0));
        overflow("synchronized", () -> shared.locked(0));
        overflow("synchronized static", () -> lockedStatic(0, 1));
        overflow("constructor", Chain::new);
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        for (int i = 0; i < rounds; i++) {
            all();
        }
        Thread thread = new Thread(null, Limits::all, "small", 1 << 19);
        thread.start();
        thread.join();
        overflow("initializer", () -> System.out.println(Unlucky.value));
        overflow("initializer again", () -> System.out.println(Unlucky.value));
        int[] sizes = {Integer.MAX_VALUE, Integer.MAX_VALUE - 1};
        heap("bytes", () -> new byte[sizes[0]]);
        heap("longs", () -> new long[sizes[1]]);
        heap("objects", () -> new Object[sizes[0]]);
        heap("nested", () -> new long[1000][sizes[1] / 8]);
        for (int i = 0; i < 2; i++) {
            heap("arrays", () -> used());
            heap("linked", () -> linked());
        }
        Thread other = new Thread(() -> {
            System.out.println(used() + " " + linked());
            synchronized (shared) {
                synchronized (shared.numbers) {
                    shared.depth = 5;
                }
            }
        });
        other.start();
        other.join();
        synchronized (Limits.class) {
            System.out.println(shared.depth + " " + shared.numbers.length);
        }
    }
}
