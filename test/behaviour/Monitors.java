import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks, waiting, interrupts: what is held when, and what goes wrong when it is not. */
public class Monitors {
    final Object first = new Object();
    final Object second = new int[1];
    int value;
    static int shared;

    static void show(String what, Callable<?> code) {
        try {
            System.out.println(what + ": " + code.call());
        } catch (Throwable thrown) {
            System.out.println(what + ": " + thrown + " at " + thrown.getStackTrace()[0] + " of "
                    + thrown.getStackTrace().length);
        }
    }

    String held() {
        return "held " + Thread.holdsLock(this) + Thread.holdsLock(first) + Thread.holdsLock(second)
                + Thread.holdsLock(Monitors.class);
    }

    synchronized String nested(int depth) {
        synchronized (first) {
            value++;
            synchronized (second) {
                if (depth == 0) {
                    throw new IllegalStateException(held());
                }
                return nested(depth - 1);
            }
        }
    }

    static synchronized String inClass(Monitors monitors) { return shared++ + monitors.held(); }

    String finallies(int mode) {
        StringBuilder text = new StringBuilder();
        try {
            synchronized (first) {
                try {
                    synchronized (second) {
                        text.append(held());
                        switch (mode) {
                            case 0:
                                return text + "returned";
                            case 1:
                                throw new IllegalArgumentException("thrown");
                            default:
                                break;
                        }
                    }
                } finally {
                    text.append(" inner ").append(held());
                    if (mode == 2) {
                        throw new IllegalStateException("from finally");
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            text.append(" caught ").append(held());
        } finally {
            System.out.println("finally " + mode + " " + held() + " " + text);
        }
        for (int i = 0; i < 3; i++) {
            synchronized (i % 2 == 0 ? first : second) {
                if (i == 1) {
                    continue;
                }
                text.append(' ').append(held());
                if (i == 2) {
                    break;
                }
            }
        }
        return text.toString();
    }

    void wrong() {
        show("notify", () -> { first.notify(); return 0; });
        show("notifyAll", () -> { first.notifyAll(); return 0; });
        show("wait", () -> { first.wait(); return 0; });
        show("wait with time", () -> { first.wait(10, 5); return 0; });
        show("negative wait", () -> { synchronized (first) { first.wait(-1); } return 0; });
        show("other lock", () -> { synchronized (first) { second.wait(1); } return 0; });
        show("on a class", () -> { Monitors.class.notify(); return 0; });
        show("unlock", () -> { new ReentrantLock().unlock(); return 0; });
        show("condition", () -> { new ReentrantLock().newCondition().signal(); return 0; });
        show("read unlock", () -> { new ReentrantReadWriteLock().readLock().unlock(); return 0; });
        show("holdsLock", () -> Thread.holdsLock(null));
        show("interrupted wait", () -> {
            synchronized (first) {
                Thread.currentThread().interrupt();
                try {
                    first.wait();
                } catch (InterruptedException e) {
                    return held() + Thread.currentThread().isInterrupted();
                }
            }
            return "not interrupted";
        });
        show("interrupted sleep", () -> { Thread.currentThread().interrupt(); Thread.sleep(1000); return 0; });
        show("interrupted join", () -> { Thread.currentThread().interrupt(); Thread.currentThread().join(); return 0; });
        show("flag", () -> { Thread.currentThread().interrupt(); return Thread.interrupted() + "" + Thread.interrupted(); });
        show("interrupted lock",
                () -> { Thread.currentThread().interrupt(); new ReentrantLock().lockInterruptibly(); return 0; });
        show("waited", () -> { synchronized (first) { first.wait(1); return held(); } });
    }

    /** A buffer of one place, between two producers and two consumers. */
    static class Buffer {
        private Integer place;
        private int moved;

        synchronized void put(int value) throws InterruptedException {
            while (place != null) {
                wait();
            }
            place = value;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (place == null) {
                wait();
            }
            int value = place;
            place = null;
            moved++;
            notifyAll();
            return value;
        }
    }

    static void hand() throws Exception {
        Buffer buffer = new Buffer();
        long[] sums = new long[2];
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            int index = t;
            threads.add(new Thread(() -> {
                try {
                    for (int i = 0; i < 2000; i++) {
                        buffer.put(i * 2 + index);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
            threads.add(new Thread(() -> {
                try {
                    for (int i = 0; i < 2000; i++) {
                        sums[index] += buffer.take();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(sums[0] + sums[1] + " " + buffer.moved);
    }

    static void locks() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        int[] state = new int[2];
        CyclicBarrier barrier = new CyclicBarrier(3, () -> state[1]++);
        CountDownLatch done = new CountDownLatch(3);
        for (int t = 0; t < 3; t++) {
            int turn = t;
            new Thread(() -> {
                try {
                    for (int round = 0; round < 50; round++) {
                        lock.lock();
                        try {
                            while (state[0] % 3 != turn) {
                                changed.await();
                            }
                            state[0]++;
                            changed.signalAll();
                        } finally {
                            lock.unlock();
                        }
                        barrier.await();
                    }
                } catch (Exception e) {
                    e.printStackTrace();
                } finally {
                    done.countDown();
                }
            }, "turn" + t).start();
        }
        done.await();
        System.out.println(state[0] + " " + state[1] + " " + lock.isLocked() + lock.getHoldCount()
                + barrier.getNumberWaiting());
    }

    void contended() throws Exception {
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 5000; i++) {
                    synchronized (this) {
                        value++;
                        if (i % 7 == 0) {
                            try {
                                nested(1);
                            } catch (IllegalStateException e) {
                                value--;
                            }
                        }
                    }
                    inClass(this);
                }
            });
        }
        value = 0;
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(value + " " + shared);
    }

    void states() throws Exception {
        Thread blocked;
        Thread waiting = new Thread(() -> {
            synchronized (second) {
                try {
                    second.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted " + Thread.holdsLock(second));
                }
            }
        }, "waiting");
        System.out.println(waiting.getState());
        synchronized (first) {
            blocked = new Thread(() -> {
                synchronized (first) {
                    value = -1;
                }
            }, "blocked");
            blocked.start();
            waiting.start();
            while (blocked.getState() != Thread.State.BLOCKED || waiting.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
            System.out.println(blocked.getState() + " " + waiting.getState() + " " + blocked.isAlive());
        }
        blocked.join();
        waiting.interrupt();
        waiting.join();
        System.out.println(blocked.getState() + " " + waiting.getState() + " " + value + " " + waiting.isInterrupted());
        show("start again", () -> { waiting.start(); return 0; });
    }

    public static void main(String[] arguments) throws Exception {
        Monitors monitors = new Monitors();
        show("nested", () -> monitors.nested(3));
        System.out.println(monitors.held());
        show("class", () -> inClass(monitors));
        for (int mode = 0; mode < 4; mode++) {
            int given = mode;
            show("finally " + mode, () -> monitors.finallies(given));
        }
        monitors.wrong();
        hand();
        locks();
        monitors.contended();
        monitors.states();
    }
}
